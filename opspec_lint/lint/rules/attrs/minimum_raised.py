"""An attr has a higher minimum.

Flags:
    An attr whose minimum was raised, or that got one.

Why it breaks:
    A saved model may hold a value below it, and the new framework refuses it.

Instead:
    Keep the old minimum.

Fix:
    In a source tree of TensorFlow, restores the string of `.Attr(...)`. It is a guess: the change may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the minimum of the attr '{name}' changed from {old} to {new}",
    witness=("an existing model may hold a smaller value for '{name}' of '{op}', which the new framework refuses"),
    advice="keep the minimum {old}",
    flagged=(
        ("f(X) -> (Out) [N: int >= 1]", "f(X) -> (Out) [N: int >= 2]"),
        ("f(X) -> (Out) [N: int >= null]", "f(X) -> (Out) [N: int >= 2]"),
    ),
    passes=(("f(X) -> (Out) [N: int >= 1]", "f(X) -> (Out) [N: int >= 0]"),),
)
