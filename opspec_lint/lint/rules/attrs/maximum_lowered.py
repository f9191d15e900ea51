"""An attr has a lower maximum.

Flags:
    An attr whose maximum was lowered, or that got one.

Why it breaks:
    A saved model may hold a value above it, and the new framework refuses it.

Instead:
    Keep the old maximum.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the maximum of the attr '{name}' changed from {old} to {new}",
    witness=("an existing model may hold a greater value for '{name}' of '{op}', which the new framework refuses"),
    advice="keep the maximum {old}",
    flagged=(
        ("f(X) -> (Out) [N: int <= 2]", "f(X) -> (Out) [N: int <= 1]"),
        ("f(X) -> (Out) [N: int <= null]", "f(X) -> (Out) [N: int <= 1]"),
    ),
    passes=(("f(X) -> (Out) [N: int <= 2]", "f(X) -> (Out) [N: int <= 3]"),),
)
