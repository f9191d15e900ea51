"""An input was added, which no patch of one op can give to programs that were saved before.

Flags:
    An input that only head has, optional or not, or an attr that became one, where no pair of patches adds it.

Why it breaks:
    Inputs are bound by position and counted: the program loads, and is refused when it first runs. A patch of one
    op cannot add an input, as there is no value to give.

Instead:
    Make a new op. Where another op always stands beside it, and can give the value, `op_pair_patches` can add the
    output of one and the input of the other: `- {op_pair: [pd_op.full, pd_op.full_like], actions: [{action:
    add_value, object: [1, 2]}]}`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="programs that were saved before do not give the input '{name}'",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            "pd_op.f(x, y?) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            "pd_op.f(x) -> (out)",
        ),
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x, y) -> (out) & {"patches": [{"version": 0, "kind": "add_value", "target": [1, 1], '
                '"pair": ["pd_op.g", "pd_op.f"]}]}'
            ),
        ),
    ),
)
