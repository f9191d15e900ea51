"""An input was added, which no patch of one op can give to existing programs.

Flags:
    An input that only head has, optional or not, or an attr that became one, where no pair of patches adds it.

Why it breaks:
    Inputs are bound by position and counted: the program loads, and is refused when it first runs. A patch of one
    op cannot add an input, as it has no value for the input.

Instead:
    Make a new op. If another op always occurs together with it and can provide the value, `op_pair_patches` can add
    the output of that op and the input of this one: `- {op_pair: [pd_op.full, pd_op.full_like], actions: [{action:
    add_value, object: [1, 2]}]}`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="existing programs do not give the input '{name}'",
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
