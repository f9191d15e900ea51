"""A type variable lost types.

Flags:
    A schema whose type variable allows fewer types in head than in base, or is gone.

Why it breaks:
    A model that was saved with a tensor of such a type means the same schema, which no longer takes it. A runtime
    that was built for head may refuse the model.

Instead:
    Leave the published schema as it is. Add a new version of the op with the next opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="type variables no longer allow: {lost}",
    witness="an existing model with a node of '{op}' that takes such a tensor does not conform to the new release",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(double)", "tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(double)", "tensor(float)"]}}',
        ),
    ),
)
