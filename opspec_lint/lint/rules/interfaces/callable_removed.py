"""A signature or function was removed.

Flags:
    A signature, function or graph of base that head does not have.

Why it breaks:
    A call of it fails: the model has nothing of that name.

Instead:
    Export it again; keep the old name in addition to a new one until it has no callers.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {what} '{name}' was removed",
    witness="a call of '{op}' finds nothing of that name; this breaks {who}",
    advice="export '{name}' again, or serve the old model beside the new one",
    flagged=(
        (
            ('signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}\nsignature t(x: int32[]) -> {"y": int32[]}'),
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            ('signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}\nsignature t(x: int32[]) -> {"y": int32[]}'),
        ),
    ),
)
