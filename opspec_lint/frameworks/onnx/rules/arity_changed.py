"""A variadic argument takes another number or other types of tensors.

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
    message="the tensors that variadic arguments take changed from {old} to {new}",
    witness=(
        "a model with fewer tensors for '{op}', or tensors of more types, is refused by the release that does not "
        "allow it"
    ),
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
