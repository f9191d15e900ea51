"""The shape of a result changed.

Flags:
    An output of a signature, graph or function that has another rank, or another size of a dimension, in head.

Why it breaks:
    The call works, and returns an array of another shape.

Instead:
    Reshape it to the old shape in the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the shape of the result '{name}' changed: {old} became {new}",
    witness="a caller that reads '{name}' of '{op}' gets {new} in place of {old}; this breaks {who}",
    advice="reshape '{name}' to {old} in the model",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 2]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
