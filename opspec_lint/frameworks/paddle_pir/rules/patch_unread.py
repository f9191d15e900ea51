"""The loader cannot read a patch.

Flags:
    A new entry of a patch file that the loader skips, or at which it stops.

Why it breaks:
    If the loader stops, no program of an older version loads. An entry that it skips repairs nothing.

Instead:
    Write the entry as the Readme of the patches describes.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file}: {problem}",
    witness="programs of older versions do not load, or are loaded without the patch",
    advice="write the entry in the form that the Readme of the patches describes",
    facts={
        "op": "pd_op.f",
        "name": "add_input",
        "file": "paddle/fluid/pir/serialize_deserialize/patch/0.yaml",
        "problem": "the loader knows no action 'add_input'",
    },
    flagged=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: pd_op.f, actions: [{action: add_input, object: 0}]}",
        ),
    ),
    passes=(
        (
            "patch/0.yaml:",
            "patch/0.yaml:\n  op_patches:\n    - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}",
        ),
    ),
)
