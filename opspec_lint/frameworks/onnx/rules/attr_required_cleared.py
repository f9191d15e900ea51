"""An attribute is no longer required.

Flags:
    An attribute that nodes must state in base, and may omit in head.

Why it breaks:
    No existing model breaks. A model of head that omits it is refused by an older release of the same opset.

Instead:
    Add a new version of the op with the next opset.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the attribute '{name}' is no longer required",
    witness="a new model with a node of '{op}' that omits '{name}' is refused by an older release",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
    flagged=(
        ('f@1(X: T) -> (Y: T) [k: INT & {"required": true}]', 'f@1(X: T) -> (Y: T) [k: INT & {"required": false}]'),
    ),
    passes=(
        ('f@1(X: T) -> (Y: T) [k: INT & {"required": false}]', 'f@1(X: T) -> (Y: T) [k: INT & {"required": false}]'),
    ),
)
