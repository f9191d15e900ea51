"""The order of results changed.

Flags:
    A graph whose outputs are in another order in head.

Why it breaks:
    A caller that takes all outputs as a list, or reads them by index, gets the wrong outputs.

Instead:
    Keep the order; add outputs at the end.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the order of the results changed from ({old}) to ({new})",
    witness="a caller that reads the results of '{op}' by position gets the wrong ones; this breaks {who}",
    advice="restore the order ({old})",
    flagged=(
        (
            'graph model(x: int32[]) -> {"y": int32[], "k": int32[]}',
            'graph model(x: int32[]) -> {"k": int32[], "y": int32[]}',
        ),
    ),
    passes=(
        (
            'signature s(x: int32[]) -> {"y": int32[], "k": int32[]}',
            'signature s(x: int32[]) -> {"k": int32[], "y": int32[]}',
        ),
    ),
)
