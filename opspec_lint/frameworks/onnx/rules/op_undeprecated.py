"""A schema is no longer deprecated.

Flags:
    A schema that is deprecated in base and not in head.

Why it breaks:
    No existing model breaks. A model of head that uses it is refused by the checker of an older release.

Instead:
    Add a new version of the op with the next opset that is not deprecated.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the published schema is no longer deprecated",
    witness="a new model with a node of '{op}' is refused by the checker of an older release",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"deprecated": true}',
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
        ),
    ),
)
