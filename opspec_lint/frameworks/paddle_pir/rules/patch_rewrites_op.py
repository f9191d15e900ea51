"""A new patch changes what existing programs compute.

Flags:
    A new action of a patch that sets an attr of existing programs to a value although the saved value could be kept, or
    that replaces an op which head still declares by another one.

Why it breaks:
    The loader applies the action to every program of an older version without a message: each computes something else.

Instead:
    Keep the saved value: a `modify_attr` without a value converts it. Keep an op that head declares.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file} changes what programs with '{op}' compute: {effect}",
    witness="every program of an older version that has '{op}' computes something else",
    advice="remove the action {action} from {file}; a modify_attr without a value keeps the saved one",
    flagged=(
        (
            'pd_op.f(x, y) -> (out) [a: "pir::Int32Attribute" = 1]',
            (
                'pd_op.f(x, y) -> (out) [a: "pir::Int32Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"modify_attr", "target": "a", "type": "pir::Int32Attribute", "data": 3}]}'
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
