"""An input has another name, and models do not name it.

Flags:
    An input whose place and type are the same and whose name is not, where inputs are bound by position.

Why it breaks:
    No existing model breaks: a graph lists the inputs of a node and does not name them. Code that passes it by
    keyword does.

Instead:
    Keep the name, or keep the old keyword working in the interface above the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {kind} '{name}' is now called '{new}'",
    witness=(
        "graphs bind the {kind} '{name}' of '{op}' by position and still load; code that passes it by keyword breaks"
    ),
    advice="keep '{old}' as a keyword in the interface above the op",
    flagged=(("f(x: float) -> (y: float)", "f(a: float) -> (y: float)"),),
    passes=(
        ("f(x: float) -> (y: float)", "f(a: half) -> (y: float)"),
        ("f(x: float) -> (y: float)", "f(x: float) -> (z: float)"),
    ),
)
