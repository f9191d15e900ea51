"""A default value changed.

Flags:
    A parameter of a function that has another default value in head.

Why it breaks:
    A call that leaves it out runs another trace and means something else, or finds no trace at all.

Instead:
    Keep the default value; add a parameter for the new behaviour.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the default value of '{name}' changed from {old} to {new}",
    witness="a call of '{op}' that leaves '{name}' out gets {new}, and {then}; this breaks {who}",
    advice="keep the default value {old}",
    flagged=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
            "function f(x, n=2): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
        ),
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n=2): (float32[], 1) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n=1): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
        ),
    ),
)
