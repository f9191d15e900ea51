"""A new op is the next version of an existing one.

Flags:
    An op that only head has, whose name is that of another op of head with the next version number: `SumV2` and
    `Sum`.

Why it breaks:
    Nothing breaks. This is the way to change an op incompatibly.

Instead:
    Deprecate the old one when new models no longer use it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("op_added",),
    when=lambda change: change.facts["predecessor"] is not None,
    level="note",
    directions=("forward",),
    message="the op '{op}' is the new version of '{predecessor}', which stays",
    witness="a model saved with '{op}' does not load on the old framework",
    advice="deprecate '{predecessor}' when new models no longer use it",
    flagged=(("Sum(x: T) -> ()", "Sum(x: T) -> ()\nSumV2(x: T) -> ()"),),
    passes=(("Sum(x: T) -> ()", "Sum(x: T) -> ()\nProd(x: T) -> ()"),),
)
