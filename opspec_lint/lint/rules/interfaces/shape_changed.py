"""The shape of an input changed.

Flags:
    A tensor that a signature, graph or trace takes, with another rank or another size of a dimension in head.

Why it breaks:
    A tensor that base accepts does not match.

Instead:
    Keep the shape, and reshape inside the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the shape of '{name}' changed: {old} became {new}",
    witness="a tensor {old} for '{name}' of '{op}' is refused; this breaks {who}",
    advice="keep {old} for '{name}', and reshape in the model",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 5]) -> {"y": float32[None, 1]}',
        ),
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4, 1]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[None, 4]) -> float32[]",
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, None]) -> {"y": float32[None, 1]}',
        ),
    ),
)
