"""A parameter was renamed.

Flags:
    An input of a signature, which has the name of its TensorSpec, or a parameter of a function, under another name
    in head.

Why it breaks:
    A signature takes tensors by name, a function keyword arguments by name. Positional arguments still work.

Instead:
    Keep the name: `tf.TensorSpec(shape, dtype, name=...)` sets the name of a signature's input, the source code
    that of a function's parameter.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the parameter '{name}' was renamed to '{new_name}'",
    witness="a call of '{op}' that names '{name}' is refused; this breaks {who}",
    advice="keep the name '{name}'; a signature's input has the name of its TensorSpec",
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
