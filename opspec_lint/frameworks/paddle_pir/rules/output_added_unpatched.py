"""An output was added, and no patch gives it to existing programs.

Flags:
    An output that only head has, intermediate or not, where no patch of the next version adds it, or one adds it behind
    an output that existing programs have.

Why it breaks:
    Outputs are bound by position and counted: the program loads, and is refused when it first runs. A patch can add an
    output, but the loader gives it the number of the output before it, so that what used that one now uses the new one
    (measured with 3.3.1: 14 of 30 programs then compute something else).

Instead:
    Make a new op. Or declare the output before all others and add an entry to patch/0.yaml (with `DEVELOP_VERSION`
    0), such as `- {op_name: pd_op.f, actions: [{action: add_output, object: 0, type: "pir::DenseTensorType", data:
    [pir::Float32Type, [-1], "NCHW", [], 0]}]}`.

Fix:
    Adds the entry to the file of patches. If the loader would not apply the file, sets `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
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
                'pd_op.f(x) -> (mask, out) & {"patches": [{"version": 0, "kind": "add_output", "target": 0, '
                '"type": "pir::DenseTensorType"}]}'
            ),
        ),
    ),
)
