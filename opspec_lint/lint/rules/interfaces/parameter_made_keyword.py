"""A parameter became keyword-only.

Flags:
    A parameter of a function that could be passed by position and has to be named in head.

Why it breaks:
    A call that passes it by position is refused.

Instead:
    Let it be passed by position.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the parameter '{name}' became keyword-only",
    witness="a call of '{op}' that passes '{name}' by position is refused; this breaks {who}",
    advice="move '{name}' in front of the `*`",
    flagged=(
        (
            "function f(x, n): (float32[], int32[]) -> float32[]",
            "function f(x, *, n): (float32[], n=int32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, *, n): (float32[], n=int32[]) -> float32[]",
            "function f(x, n): (float32[], int32[]) -> float32[]",
        ),
    ),
)
