"""An attr has another type, and no patch changes it in existing programs.

Flags:
    An attr whose type in head cannot read the values that programs of base store, where no patch of the next
    version changes it.

Why it breaks:
    The loader does not check the type. It reads the saved value as the new type, which usually crashes the process
    (measured: 24 of 28).

Instead:
    Set `DEVELOP_VERSION` to 0 and add an entry to patch/0.yaml, such as `- {op_name: pd_op.kthvalue, actions:
    [{action: modify_attr, object: k, type: "pir::Int64Attribute"}]}`. The saved number is kept; for a list, the
    value gives the type of its items.

Fix:
    Adds the entry to the file of patches, if every old value has a new one; it is unsafe if values lose their
    fractions. If the loader would not apply the file, sets `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
    message="the attr '{name}' of existing programs has type {old}, and is read as {new}",
    witness="a saved program with '{op}' crashes the process, or computes something else",
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
