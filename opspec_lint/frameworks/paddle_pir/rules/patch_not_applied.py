"""A patch is applied to no program.

Flags:
    A new entry of a patch file that the loader does not apply to programs of any release, by the versions that the tree
    states.

Why it breaks:
    The loader applies no patch to a program of its own version. It applies patch/0.yaml only if `DEVELOP_VERSION` is 0,
    and patch/N.yaml only if N is at most `RELEASE_VERSION`. So existing programs are not repaired.

Instead:
    Set `DEVELOP_VERSION` to 0 in CMakeLists.txt, and put the entry into patch/0.yaml. If a release is cut, rename the
    file to patch/N.yaml and raise both versions to N in the same change.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file} is applied to no program ({problem}): {actions} of '{name}'",
    witness="programs of the last release are not repaired",
    advice=(
        "put the entry into patch/0.yaml and set DEVELOP_VERSION to 0 in serialize_deserialize/CMakeLists.txt; or, "
        "to cut release N, into patch/N.yaml and raise both versions to N"
    ),
    facts={
        "op": "pd_op.f",
        "name": "pd_op.f",
        "file": "paddle/fluid/pir/serialize_deserialize/patch/0.yaml",
        "problem": "DEVELOP_VERSION is 1 and RELEASE_VERSION 1",
        "actions": "delete_attr a",
    },
    flagged=(
        (
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=1)",
            (
                "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=1)\n"
                "patch/0.yaml:\n"
                "  op_patches:\n"
                "    - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}"
            ),
        ),
    ),
    passes=(
        (
            "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=1)",
            (
                "CMakeLists.txt: add_definitions(-DDEVELOP_VERSION=0)\n"
                "patch/0.yaml:\n"
                "  op_patches:\n"
                "    - {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}"
            ),
        ),
    ),
)
