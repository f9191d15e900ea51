"""The dtype of an input changed.

Flags:
    A tensor that a signature, graph or trace takes, with another dtype in head, wider or narrower.

Why it breaks:
    A tensor of the old dtype is refused. TensorFlow may convert Python numbers and NumPy arrays, and converts the
    values that are fed to a session; it does not convert a protobuf request.

Instead:
    Keep the dtype, and cast inside the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the dtype of '{name}' changed: {old} became {new}",
    witness="a tensor {old} for '{name}' of '{op}' is refused; this breaks {who}",
    advice="keep {old} for '{name}', and cast in the model",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float64[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float16[None, 3]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[None, 3]) -> float32[] | (float64[None, 3]) -> float64[]",
        ),
    ),
)
