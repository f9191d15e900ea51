"""A result was added.

Flags:
    An output of a signature, graph or function that head alone gives.

Why it breaks:
    Callers that read the others are not affected. A caller that reads it needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the result '{name}' was added",
    witness="a caller that reads '{name}' of '{op}' needs the new model",
    advice="roll the model out before the callers that read '{name}'",
    flagged=(
        (
            'signature s(x: int32[]) -> {"y": int32[]}',
            'signature s(x: int32[]) -> {"y": int32[], "k": float32[]}',
        ),
    ),
    passes=(
        (
            'signature s(x: int32[]) -> {"y": int32[], "k": float32[]}',
            'signature s(x: int32[]) -> {"y": int32[]}',
        ),
    ),
)
