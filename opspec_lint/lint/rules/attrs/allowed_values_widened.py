"""An attr accepts more values.

Flags:
    An attr whose set of allowed values grew, or that is no longer restricted.

Why it breaks:
    Existing models still load. A new model may hold a value that an older framework refuses.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the attr '{name}' now allows {gained}",
    witness=(
        "existing models still load; a new model may hold a value for '{name}' of '{op}' that the old framework refuses"
    ),
    advice="nothing to do for existing models",
    flagged=(('f(X) -> (Out) [T: type in ["float"]]', 'f(X) -> (Out) [T: type in ["half", "float"]]'),),
    passes=(
        ('f(X) -> (Out) [T: type in ["float"]]', 'f(X) -> (Out) [T: type in ["float"]]'),
        ('f(X) -> (Out) [T: type in ["half", "float"]]', 'f(X) -> (Out) [T: type in ["float", "half"]]'),
    ),
)
