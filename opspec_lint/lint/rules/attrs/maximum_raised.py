"""An attr has a higher maximum.

Flags:
    An attr whose maximum was raised, or that has none any more.

Why it breaks:
    Existing models still load. A new model may hold a value that an older framework refuses.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the maximum of the attr '{name}' changed from {old} to {new}",
    witness=(
        "existing models still load; a new model may hold a greater value for '{name}' of '{op}', which the old "
        "framework refuses"
    ),
    advice="nothing to do for existing models",
    flagged=(("f(X) -> (Out) [N: int <= 1]", "f(X) -> (Out) [N: int <= 2]"),),
    passes=(("f(X) -> (Out) [N: int <= 1]", "f(X) -> (Out) [N: int <= 1]"),),
)
