"""The dtype of a result changed.

Flags:
    An output of a signature, graph or function that has another dtype in head.

Why it breaks:
    The call works, and returns values of another dtype.

Instead:
    Cast it back to the old dtype in the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the dtype of the result '{name}' changed: {old} became {new}",
    witness="a caller that reads '{name}' of '{op}' gets {new} in place of {old}; this breaks {who}",
    advice="cast '{name}' to the dtype of {old} in the model",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float64[None, 1]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
