"""An input or output has another type.

Flags:
    An input or output whose declared type differs between base and head.

Why it breaks:
    A saved model connects a tensor of the old type, which the new framework refuses or reads as something else.

Instead:
    Keep the type; generalise it through a type attr whose default value is the old type, where the framework allows
    that.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the type of the {kind} '{name}' changed from {old} to {new}",
    witness=(
        "an existing model connects a tensor of type {old} to '{name}' of '{op}', where the new framework declares"
        " {new}"
    ),
    advice="keep '{name}' as {old}, or make a new op",
    flagged=(("f(x: float) -> (y: float)", "f(x: half) -> (y: float)"),),
    passes=(
        ("f(x: float) -> (y: float)", "f(x: float) -> (y: float)"),
        ("f(x) -> (y: float)", "f(x: half) -> (y: float)"),
    ),
)
