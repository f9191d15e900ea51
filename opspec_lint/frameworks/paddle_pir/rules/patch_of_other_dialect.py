"""A patch is for an op of a dialect that is not read.

Flags:
    A new entry of a patch file for an op of a dialect such as `onednn_op`, whose declarations are not read.

Why it breaks:
    The loader applies the entry to every program of an older version that has the op; whether the entry is right is not
    checked.

Instead:
    Compare the entry with the declaration of the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="{file} has an entry for '{name}', whose dialect is not read: {actions}",
    witness="programs with '{name}' may not be repaired, or may be damaged",
    advice="compare the entry with the declaration of '{name}'",
    facts={
        "op": "onednn_op.f",
        "name": "onednn_op.f",
        "file": "paddle/fluid/pir/serialize_deserialize/patch/0.yaml",
        "actions": "delete_attr a",
    },
    flagged=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: onednn_op.f, actions: [{action: delete_attr, object: a}]}",
        ),
    ),
    passes=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}",
        ),
    ),
)
