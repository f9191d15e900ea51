"""A removed op has a replacement.

Flags:
    An op that head does not have, for which head has an op of the same name with the next version number: `SumV2` for
    `Sum`.

Why it breaks:
    New models use the successor; existing models still name the op that is gone.

Instead:
    Keep both for as long as models that use the old one may be loaded.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("op_removed",),
    when=lambda change: change.facts["successor"] is not None,
    level="note",
    directions=(),
    message="the op '{successor}' seems to replace '{op}'",
    witness="a model saved with '{op}' does not use '{successor}'",
    advice="keep '{op}' next to '{successor}', marked as deprecated",
    flagged=(("Sum(x: T) -> ()\nSumV2(x: T) -> ()", "SumV2(x: T) -> ()"),),
    passes=(("Sum(x: T) -> ()", "SumSquare(x: T) -> ()"),),
)
