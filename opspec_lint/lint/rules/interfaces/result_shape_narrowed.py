"""The shape of a result is fixed.

Flags:
    An output of a signature, graph or function of which head fixes a dimension or the rank that base leaves open.

Why it breaks:
    Base could return every shape that head returns.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the shape of the result '{name}' is more specific: {old} became {new}",
    witness="a caller that relies on {new} for '{name}' of '{op}' needs the new model",
    advice="roll the model out before the callers that rely on it",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[2, 1]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, None]}',
        ),
    ),
)
