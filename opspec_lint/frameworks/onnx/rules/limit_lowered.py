"""The release no longer accepts the newest models.

Flags:
    A release whose highest IR version, or highest opset of a domain, is lower than base's.

Why it breaks:
    The loader refuses a model of a higher version before it looks at any node.

Instead:
    Keep accepting the versions that base accepts.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{name} may be at most {new}, and {old} in base",
    witness="a model with {name} {old} is refused by the new release",
    advice="keep accepting models with {name} {old}",
    flagged=(('loading {"ir_version": 6}\nf@1(X: T) -> (Y: T)', 'loading {"ir_version": 5}\nf@1(X: T) -> (Y: T)'),),
    passes=(('loading {"ir_version": 5}\nf@1(X: T) -> (Y: T)', 'loading {"ir_version": 6}\nf@1(X: T) -> (Y: T)'),),
)
