"""A signature or function was added.

Flags:
    A signature, function or graph that only head has.

Why it breaks:
    No caller of base calls it. A caller of head cannot go back to base.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the {what} '{name}' is new",
    witness="a caller that calls '{op}' needs the new model",
    advice="roll the model out before the callers that need '{name}'",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
            ('signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}\nsignature t(x: int32[]) -> {"y": int32[]}'),
        ),
    ),
    passes=(
        (
            ('signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}\nsignature t(x: int32[]) -> {"y": int32[]}'),
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]}',
        ),
    ),
)
