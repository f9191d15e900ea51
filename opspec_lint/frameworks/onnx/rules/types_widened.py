"""A type variable got more types.

Flags:
    A schema whose type variable allows more types in head than in base, including all of base's, or a variable
    that is new.

Why it breaks:
    A model of head may connect a tensor of the new type. It states the same opset as before, so that no older
    release and no runtime can tell it from a model that they take.

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
