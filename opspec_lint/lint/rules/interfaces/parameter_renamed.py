"""A parameter was renamed.

Flags:
    An input of a signature, which has the name of its TensorSpec, or a parameter of a function, under another name
    in head.

Why it breaks:
    Tensors are given to a signature by name, and so are keyword arguments to a function. Positional arguments still
    fit.

Instead:
    Keep the name: `tf.TensorSpec(shape, dtype, name=...)` sets that of a signature, the source that of a function.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the parameter '{name}' was renamed to '{new_name}'",
    witness="a call of '{op}' that gives '{name}' by its name is refused; this breaks {who}",
    advice="keep the name '{name}'; that of a signature's input is the name of its TensorSpec",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(feats: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(feats): (float32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(feats: int32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
