"""An output was added, and no patch gives it to existing programs.

Flags:
    An output that only head has, intermediate or not, where no patch of the next version adds it.

Why it breaks:
    Outputs are bound by position and counted: the program loads, and is refused when it first runs.

Instead:
    Add an entry to patch/0.yaml, such as `- {op_name: pd_op.f, actions: [{action: add_output, object: 1, type:
    "pir::DenseTensorType", data: [pir::Float32Type, [-1], "NCHW", [], 0]}]}`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="existing programs do not have the output '{name}'",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            "pd_op.f(x) -> (out, mask)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x) -> (out, mask) & {"patches": [{"version": 0, "kind": "add_output", "target": 1, '
                '"type": "pir::DenseTensorType"}]}'
            ),
        ),
    ),
)
