"""A default value was removed.

Flags:
    A parameter of a function, or an input of a signature, that had a default value and has none in head. Only sessions
    and requests use the default value of a signature's input.

Why it breaks:
    A call that omits it is refused.

Instead:
    Keep the default value.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{name}' lost its default value {old}",
    witness="a call of '{op}' that omits '{name}' is refused; this breaks {who}",
    advice="restore the default value {old}",
    flagged=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n): (float32[], 1) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[]) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            "function f(x, n): (float32[], 1) -> float32[]",
            "function f(x, n=1): (float32[], 1) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[]) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
)
