"""A parameter is passed in another way.

Flags:
    A parameter of a function that became `*args` or `**kwargs`, or was one of these and is not.

Why it breaks:
    A call passes the parameter as before, and it is bound to something else, or refused.

Instead:
    Keep the parameter, and add another one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the parameter '{name}' was passed {old} and is passed {new}",
    witness="a call of '{op}' that passes '{name}' {old} is bound to something else, or refused; this breaks {who}",
    advice="let '{name}' be passed {old}",
    flagged=(
        (
            "function f(x, *n): (float32[]) -> float32[]",
            "function f(x, n=1): (float32[], 1) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, *n): (float32[]) -> float32[]",
            "function f(x, *n): (float32[]) -> float32[]",
        ),
    ),
)
