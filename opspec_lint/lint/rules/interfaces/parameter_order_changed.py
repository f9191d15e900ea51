"""The order of parameters changed.

Flags:
    A function whose positional parameters, or a graph whose inputs, are in another order in head.

Why it breaks:
    A caller that passes values by position, or feeds them by index, passes them to other parameters: an error, or a
    wrong result.

Instead:
    Keep the order; add parameters at the end.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the order of the parameters changed from ({old}) to ({new})",
    witness="a call of '{op}' by position gives values to other parameters; this breaks {who}",
    advice="restore the order ({old})",
    flagged=(
        (
            "function f(x, n): (float32[], int32[]) -> float32[]",
            "function f(n, x): (int32[], float32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, n): (float32[], int32[]) -> float32[]",
            "function f(x, n, k=1): (float32[], int32[], 1) -> float32[]",
        ),
        (
            'signature s(x: int32[], n: int32[]) -> {"y": float32[None, 1]}',
            'signature s(n: int32[], x: int32[]) -> {"y": float32[None, 1]}',
        ),
    ),
)
