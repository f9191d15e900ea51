"""A result was renamed.

Flags:
    An output of a signature, graph or function that has another name in head.

Why it breaks:
    The call works, and a caller that reads it finds nothing under its name.

Instead:
    Return it under both names.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the result '{name}' was renamed to '{new_name}'",
    witness="a caller that reads '{name}' of '{op}' finds nothing; this breaks {who}",
    advice="return it as '{name}' as well",
    flagged=(
        (
            'signature s(x: int32[]) -> {"y": int32[]}',
            'signature s(x: int32[]) -> {"z": int32[]}',
        ),
    ),
    passes=(
        (
            'signature s(x: int32[]) -> {"y": int32[]}',
            'signature s(x: int32[]) -> {"z": float32[]}',
        ),
    ),
)
