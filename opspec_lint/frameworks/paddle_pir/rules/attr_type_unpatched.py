"""An attr has another type, and no patch changes it in programs that were saved before.

Flags:
    An attr whose type in head does not read what programs of base have, where no patch of the version to come
    changes it.

Why it breaks:
    Nothing checks the type. The saved value is read as if it were of the new type, which ends the process more
    often than not (measured: 24 of 28).

Instead:
    Add an entry to patch/0.yaml, such as `- {op_name: pd_op.kthvalue, actions: [{action: modify_attr, object: k,
    type: "pir::Int64Attribute"}]}`. The saved number stays; of a list, the type of its items is given under the
    value.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="the attr '{name}' of programs that were saved before is of type {old}, and is read as {new}",
    witness="a saved program with '{op}' ends the process, or computes something else",
    advice="{remedy}",
    flagged=(
        (
            'pd_op.f(x) -> (out) [k: "pir::Int32Attribute" = 1]',
            'pd_op.f(x) -> (out) [k: "pir::Int64Attribute" = 1]',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) [k: "pir::Int32Attribute" = 1]',
            (
                'pd_op.f(x) -> (out) [k: "pir::Int64Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"modify_attr", "target": "k", "type": "pir::Int64Attribute"}]}'
            ),
        ),
        (
            'pd_op.f(x) -> (out) [k: "pir::FloatAttribute" = 1.0]',
            'pd_op.f(x) -> (out) [k: "paddle::dialect::ScalarAttribute<float>" = 1.0]',
        ),
    ),
)
