"""The shape of an input is narrower.

Flags:
    A tensor that a signature, graph or trace takes, of which head fixes a dimension or a rank that base leaves
    open.

Why it breaks:
    A tensor of another size that base accepts is refused, such as another batch size.

Instead:
    Leave the dimension open: `None` in the TensorSpec, a dynamic axis in the export.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the shape of '{name}' is narrower: {old} became {new}",
    witness="a tensor {old} of another size than {new} for '{name}' of '{op}' is refused; this breaks {who}",
    advice="export '{name}' as {old}",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[2, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            'graph model(x: float32[...]) -> {"y": float32[]}',
            'graph model(x: float32[None]) -> {"y": float32[]}',
        ),
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[2, 3]) -> float32[]",
        ),
    ),
    passes=(
        (
            'signature s(x: float32[2, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[None, 3]) -> float32[] | (float32[2, 3]) -> float32[]",
        ),
    ),
)
