"""Only older models are taken.

Flags:
    A release whose highest IR version, or highest opset of a domain, is lower than base's.

Why it breaks:
    A model of the higher version is refused before any node is looked at.

Instead:
    Keep taking the versions that were taken.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{name} was at most {old} and is at most {new}",
    witness="a model with {name} {old} is refused by the new release",
    advice="keep taking models with {name} {old}",
    flagged=(('loading {"ir_version": 6}\nf@1(X: T) -> (Y: T)', 'loading {"ir_version": 5}\nf@1(X: T) -> (Y: T)'),),
    passes=(('loading {"ir_version": 5}\nf@1(X: T) -> (Y: T)', 'loading {"ir_version": 6}\nf@1(X: T) -> (Y: T)'),),
)
