"""The shape of an input is wider.

Flags:
    A tensor that a signature, graph or trace takes, of which head leaves a dimension or the rank open.

Why it breaks:
    Every tensor that base accepts still matches. A tensor of another size needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the shape of '{name}' is wider: {old} became {new}",
    witness="a tensor {new} for '{name}' of '{op}' may need the new model",
    advice="roll the model out before the callers that give '{name}' other sizes",
    flagged=(
        (
            'signature s(x: float32[2, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
        (
            "function f(x): (float32[2, 3]) -> float32[]",
            "function f(x): (float32[None, 3]) -> float32[]",
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[2, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
