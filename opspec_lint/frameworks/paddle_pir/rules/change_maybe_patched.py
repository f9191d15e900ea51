"""It is not known whether patches repair a change.

Flags:
    A change of an op that makes the loader refuse or misread programs of base, where head has patches for the op, and
    it is not known whether the loader applies them.

Why it breaks:
    Without a patch such programs stop at the first run, or crash the process.

Instead:
    Load programs of base under head. Or extract head from its source tree, which states when the loader applies a
    patch.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="it is not known whether patches of '{op}' repair what changed: {changed}",
    witness="a saved program with '{op}' may stop when it first runs, or crash the process",
    advice="load programs of base that have '{op}' under head, or extract head from its source tree",
    flagged=(
        (
            'pd_op.f(x, y) -> (out) [a: "pir::Int32Attribute" = 1]',
            'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1] & {"patches": null}',
        ),
    ),
    passes=(
        (
            'pd_op.f(x, y) -> (out) [a: "pir::Int32Attribute" = 1]',
            'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1]',
        ),
    ),
)
