"""A patch is for an op that does not exist.

Flags:
    A new entry of a patch file whose op is neither declared nor renamed by the entry.

Why it breaks:
    The patch applies to no program: the op is misspelt, or its programs are refused nevertheless.

Instead:
    Name the op as programs do, such as `pd_op.abs`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file} has an entry for '{name}', which is not an op",
    witness="programs with the intended op are not repaired",
    advice="name the op as programs do, such as pd_op.abs",
    facts={"op": "pd_op.ff", "name": "pd_op.ff", "file": "paddle/fluid/pir/serialize_deserialize/patch/0.yaml"},
    flagged=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: pd_op.ff, actions: [{action: delete_attr, object: a}]}",
        ),
    ),
    passes=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}",
        ),
    ),
)
