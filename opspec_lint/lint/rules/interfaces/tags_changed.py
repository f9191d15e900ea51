"""The tags of a signature changed.

Flags:
    A signature whose graph has other tags in head.

Why it breaks:
    A loader names a set of tags, which has to equal the tags of the graph. Other tags are refused.

Instead:
    Export the model with its old tags.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the tags of '{name}' changed from {old} to {new}",
    witness="a loader that asks for the tags {old} finds no graph with '{op}'; this breaks {who}",
    advice="save with the tags {old}",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} tags "serve"',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} tags "serve,gpu"',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} tags "serve"',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} tags "serve"',
        ),
    ),
)
