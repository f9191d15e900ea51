"""The inputs or outputs of an op are in another order.

Flags:
    Inputs or outputs that both sides have and that are in another order, where the framework binds them by position
    and can tell: their types are no longer those of before at each position, or outputs are known by name as well.

Why it breaks:
    A saved model lists its tensors in the old order. Each one is read as another argument.

Instead:
    Keep the order, and add new arguments at the end.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the order of the {kind}s changed from {old} to {new}",
    witness=(
        "an existing model passes the {kind}s of '{op}' in the old order; the new framework takes each for another one"
    ),
    advice="keep the order {old}, and add new {kind}s at the end",
    flagged=(
        ("f(x: T, y: S) -> (z: T)", "f(y: S, x: T) -> (z: T)"),
        ("f(x: T) -> (y: T, z: T)", "f(x: T) -> (z: T, y: T)"),
    ),
    passes=(
        ("f(x: T, y: T) -> (z: T)", "f(x: T, y: T, w: T) -> (z: T)"),
        ("f(x: T, y: T) -> (z: T)", "f(y: T, x: T) -> (z: T)"),
    ),
)
