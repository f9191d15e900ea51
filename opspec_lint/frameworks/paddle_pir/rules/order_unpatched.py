"""The order of inputs or outputs changed. The loader's patches of saved programs cannot restore an order.

Flags:
    Inputs, or outputs, of both base and head whose order differs in head.

Why it breaks:
    They are bound by position: the loader takes each argument for another one, without an error if the types allow it.

Instead:
    Keep the order, and add new arguments at the end; or make a new op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="existing programs have the {kind}s in the order {old}, and the loader reads them as {new}",
    witness="a saved program passes the {kind}s of '{op}' in the old order, and the loader takes each for another one",
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
