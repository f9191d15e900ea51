"""A result was removed.

Flags:
    An output of a signature, graph or function that head does not give.

Why it breaks:
    The call works, and a caller that reads it finds nothing.

Instead:
    Return it in addition to the new one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the result '{name}' was removed",
    witness="a caller that reads '{name}' of '{op}' finds nothing; this breaks {who}",
    advice="return '{name}' again",
    flagged=(
        (
            'signature s(x: int32[]) -> {"y": int32[], "k": float32[]}',
            'signature s(x: int32[]) -> {"y": int32[]}',
        ),
        (
            'function f(x): (int32[]) -> {"y": int32[], "k": float32[]}',
            'function f(x): (int32[]) -> {"y": int32[]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
