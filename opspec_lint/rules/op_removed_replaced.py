"""A removed op has a successor.

Flags:
    An op that head has not, and whose name with the next version head has: `Sum` of which there is `SumV2`.

Why it breaks:
    New models use the successor; models saved before still name the op that is gone.

Instead:
    Keep both for as long as models that use the old one may be loaded.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    on=("op_removed",),
    when=lambda change: change.successor is not None,
    level="note",
    directions=(),
    since="0.1.0",
    message="the op '{successor}' seems to take the place of '{op}'",
    witness="a model saved with '{op}' does not know of '{successor}'",
    advice="keep '{op}' beside '{successor}' as deprecated",
    flagged=(("Sum(x: T) -> ()\nSumV2(x: T) -> ()", "SumV2(x: T) -> ()"),),
    passes=(("Sum(x: T) -> ()", "SumSquare(x: T) -> ()"),),
)
