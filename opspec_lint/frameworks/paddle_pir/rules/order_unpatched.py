"""Inputs or outputs stand in another order, which no patch can change.

Flags:
    Inputs, or outputs, that both have, and that stand in another order in head.

Why it breaks:
    They are bound by position: what stood in one place is taken for another, without an error where the types allow
    it.

Instead:
    Keep the order, and put what is new at the end; or make a new op.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="the {kind}s stood in the order {old}, and are read as {new}",
    witness="a saved program with '{op}' gives its {kind}s in the old order",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            "pd_op.f(y, x) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x, y) -> (out)",
            "pd_op.f(x, y) -> (out)",
        ),
    ),
)
