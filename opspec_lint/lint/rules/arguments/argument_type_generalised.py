"""An input or output has a more general type.

Flags:
    An input or output whose declared type changed, where the new one is the old one as soon as new attrs have their
    default values: `float` became `T` with the default `float`.

Why it breaks:
    Existing models still load. A new model may use another type, which an older framework refuses.

Instead:
    This is the allowed way to generalise.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the type of the {kind} '{name}' changed from {old} to {new}, which does not affect existing models",
    witness="a new model that sets another type for the {kind} '{name}' of '{op}' does not load on the old framework",
    advice="nothing to do for existing models",
    flagged=(("f(x: float) -> (y: float)", 'f(x: T) -> (y: float) [T: type = "float"]'),),
    passes=(
        ("f(x: float) -> (y: float)", 'f(x: T) -> (y: float) [T: type = "half"]'),
        ("f(x: float) -> (y: float)", "f(x: float) -> (y: float)"),
    ),
)
