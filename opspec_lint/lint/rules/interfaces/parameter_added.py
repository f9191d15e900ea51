"""A required parameter was added.

Flags:
    An input of a signature or graph, or a parameter of a function, that only head has and that has no default value.
    An input of a signature with a default value: sessions and requests use the default value, but calls by keyword
    have to pass the input (measured with TensorFlow 2.18.1).

Why it breaks:
    A call of base does not give it.

Instead:
    Give it a default value, or export a second signature that has it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the required parameter '{name}' was added",
    witness="a call of '{op}' as in base lacks '{name}'; this breaks {who}",
    advice="make '{name}' optional, or add it to a new signature",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4], z: float32[]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(x, z): (float32[], int32[]) -> float32[]",
        ),
        (
            'signature s(x: float32[]) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(x, z=1): (float32[], 1) -> float32[]",
        ),
        (
            'graph g(x: float32[]) -> {"y": float32[]}',
            'graph g(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
)
