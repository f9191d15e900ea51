"""An attribute became required.

Flags:
    An attribute that nodes must state in head, and may omit in base.

Why it breaks:
    An existing node may omit it, and is refused: the required attribute is missing.

Instead:
    Add a new version of the op with the next opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attribute '{name}' became required",
    witness="an existing model with a node of '{op}' that omits '{name}' is refused",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        ('f@1(X: T) -> (Y: T) [k: INT & {"required": false}]', 'f@1(X: T) -> (Y: T) [k: INT & {"required": true}]'),
    ),
    passes=(
        ('f@1(X: T) -> (Y: T) [k: INT & {"required": true}]', 'f@1(X: T) -> (Y: T) [k: INT & {"required": false}]'),
    ),
)
