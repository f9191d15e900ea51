"""An attr accepts fewer values.

Flags:
    An attr whose set of allowed values lost a value, or that got such a set.

Why it breaks:
    A saved model may hold a value that is no longer allowed, and the new framework refuses it.

Instead:
    Keep accepting every value that was ever accepted.

Fix:
    In a source tree of TensorFlow, restores the string of `.Attr(...)`. It is a guess: the change may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the attr '{name}' no longer allows {lost}",
    witness="an existing model may hold a value for '{name}' of '{op}' that the new framework refuses",
    advice="keep allowing {lost}",
    flagged=(
        ('f(X) -> (Out) [T: type in ["half", "float"]]', 'f(X) -> (Out) [T: type in ["float"]]'),
        ("f(X) -> (Out) [T: type in null]", 'f(X) -> (Out) [T: type in ["float"]]'),
    ),
    passes=(('f(X) -> (Out) [T: type in ["float"]]', 'f(X) -> (Out) [T: type in ["half", "float"]]'),),
)
