"""A variadic argument takes other tensors.

Flags:
    A variadic input or output whose least number of tensors differs between base and head, or whose tensors must
    have one type in one of the two only.

Why it breaks:
    A higher number refuses existing models with fewer tensors, and one type refuses existing models with several.
    The reverse allows models that an older release refuses.

Instead:
    Leave the published schema as it is. Add a new version of the op with the next opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="what its variadic arguments take changed from {old} to {new}",
    witness="a model whose '{op}' has fewer tensors, or more types, than one release allows is refused by it",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        (
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 1, "is_homogeneous": true}}}',
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 2, "is_homogeneous": true}}}',
        ),
        (
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 2, "is_homogeneous": true}}}',
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 1, "is_homogeneous": true}}}',
        ),
    ),
    passes=(
        (
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 1, "is_homogeneous": true}}}',
            'f@1(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 1, "is_homogeneous": true}}}',
        ),
    ),
)
