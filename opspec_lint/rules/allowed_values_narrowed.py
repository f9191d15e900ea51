"""An attr accepts fewer values.

Flags:
    An attr whose set of allowed values lost a value, or that got such a set.

Why it breaks:
    A saved model may hold a value that is no longer allowed, and the new framework refuses it.

Instead:
    Keep accepting every value that was ever accepted.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the allowed values of the attr '{name}' went from {old} to {new}",
    witness="a model saved before may hold a value for '{name}' of '{op}' that the new framework refuses",
    advice="keep every value of {old} allowed",
    flagged=(
        ('f(X) -> (Out) [T: type in ["half", "float"]]', 'f(X) -> (Out) [T: type in ["float"]]'),
        ("f(X) -> (Out) [T: type in []]", 'f(X) -> (Out) [T: type in ["float"]]'),
    ),
    passes=(('f(X) -> (Out) [T: type in ["float"]]', 'f(X) -> (Out) [T: type in ["half", "float"]]'),),
)
