"""A schema became deprecated.

Flags:
    A schema that is deprecated in head and not in base.

Why it breaks:
    The checker refuses each model in which a node means a deprecated schema. Models that import the opset were
    valid before.

Instead:
    Deprecate the op in a new version, with the next opset; models of older opsets stay valid.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the published schema became deprecated",
    witness="an existing model with a node of '{op}' is refused by the checker",
    advice="deprecate the op in a new version, and leave '{op}' as it is",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
            'f@1(X: T) -> (Y: T) & {"deprecated": true}',
        ),
    ),
    passes=(('f@1(X: T) -> (Y: T) & {"deprecated": true}', 'f@1(X: T) -> (Y: T) & {"deprecated": true}'),),
)
