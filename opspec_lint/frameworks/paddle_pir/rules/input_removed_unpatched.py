"""An input was removed, and no patch removes it from existing programs.

Flags:
    An input that only base has, where no patch of the next version deletes it.

Why it breaks:
    Inputs are bound by position and counted: the program loads, and is refused when it first runs.

Instead:
    Add an entry to patch/0.yaml, such as `- {op_name: pd_op.f, actions: [{action: delete_input, object: 1}]}`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="existing programs give the input '{name}', which the op no longer takes",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            "pd_op.f(x) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x, y) -> (out)",
            'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "delete_input", "target": 1}]}',
        ),
    ),
)
