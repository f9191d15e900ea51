"""An output was removed, which no patch of one op can remove from existing programs.

Flags:
    An output that only base has, where no pair of patches deletes it.

Why it breaks:
    Outputs are bound by position and counted: the program loads, and is refused when it first runs. Other ops may
    use the value, so that a patch of one op cannot delete it.

Instead:
    Make a new op. If only one other op takes the value, `op_pair_patches` can delete the output of one and the
    input of the other: `- {op_pair: [pd_op.f, pd_op.g], actions: [{action: delete_value, object: [1, 2]}]}`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="existing programs have the output '{name}', which the op no longer gives",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x) -> (out, xshape)",
            "pd_op.f(x) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out, xshape)",
            (
                'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "delete_value", "target": [1, 2], '
                '"pair": ["pd_op.f", "pd_op.g"]}]}'
            ),
        ),
    ),
)
