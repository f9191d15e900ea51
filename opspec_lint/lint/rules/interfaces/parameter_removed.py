"""A parameter was removed.

Flags:
    An input of a signature or graph, or a parameter of a function, that head does not have.

Why it breaks:
    A call that gives it is refused.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the parameter '{name}' was removed",
    witness="a call of '{op}' that gives '{name}' is refused; this breaks {who}",
    advice="keep '{name}' as an unused parameter",
    flagged=(
        (
            'signature s(x: float32[None, 4], n: int32[]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x): (float32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4], n: int32[]) -> {"y": float32[None, 1]}',
        ),
    ),
)
