"""A type variable got more types.

Flags:
    A schema whose type variable allows all types of base and further ones; also a schema with a new type variable.

Why it breaks:
    A model of head may connect a tensor of the new type. The model states the same opset as before, so that an older
    release or a runtime accepts the opset, and cannot know that the type is new.

Instead:
    Leave the published schema as it is. Add a new version of the op with the next opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="type variables also allow: {gained}",
    witness="a new model with a node of '{op}' that takes such a tensor does not conform to older releases",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(double)", "tensor(float)"]}}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(double)", "tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}',
        ),
    ),
)
