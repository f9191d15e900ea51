"""The shape of a result is no longer fixed.

Flags:
    An output of a signature, graph or function of which head leaves a dimension or the rank open.

Why it breaks:
    The call may return an array of a size that no call of base returned.

Instead:
    Set the shape in the model, if it is still that of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the shape of the result '{name}' is less specific: {old} became {new}",
    witness="a caller that reads '{name}' of '{op}' may get another size than {old}; this breaks {who}",
    advice="set the shape {old} in the model if it still holds",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, None]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
