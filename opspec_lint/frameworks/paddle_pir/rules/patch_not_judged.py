"""What a new patch does cannot be determined.

Flags:
    A new action on the type of an output, or on an attr of an output such as `stop_gradient`.

Why it breaks:
    No declaration states what a program has there, so it is not known whether such programs still run as before (3.3.1:
    another type of the output of `pd_op.data` stops the program; that of other ops is ignored).

Instead:
    Load programs of each older version with the patch.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the effect of {action} of {file} on programs with '{op}' cannot be determined",
    witness="programs with '{op}' may stop, or compute something else",
    advice="load programs of each older version that have '{op}' with the patch",
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            (
                'pd_op.f(x, y) -> (out) & {"patches": [{"version": 0, "kind": "modify_output_type", "target": 0, '
                '"type": "pir::DenseTensorType"}]}'
            ),
        ),
    ),
    passes=(
        (
            'pd_op.f(x, y) -> (out) [a: "pir::Int32Attribute" = 1]',
            (
                'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"modify_attr", "target": "a", "type": "pir::Int64Attribute"}]}'
            ),
        ),
    ),
)
