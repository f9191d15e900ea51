"""The patch of a released version changed.

Flags:
    An action that was added to, or removed from, the patch of a version of PIR that base already has.

Why it breaks:
    A release reads programs of its own version without patches, and programs of an older version with its own copy
    of the patch. The new action does not apply to programs of that version, which releases still write; two
    releases of one version disagree.

Instead:
    Put new actions into patch/0.yaml, which becomes the patch of the next version, and set `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file}, which belongs to a released version, {change}: {action} of '{op}'",
    witness="two releases of one version of PIR read '{op}' differently",
    advice="leave {file} as it was released, and put new actions into patch/0.yaml, with DEVELOP_VERSION 0",
    flagged=(
        (
            'versions {"producer": 2}\npd_op.f(x) -> (out)',
            (
                'versions {"producer": 2}\npd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1] & {"patches": '
                '[{"version": 2, "kind": "add_attr", "target": "a", "type": "pir::Int32Attribute", "data": 1}]}'
            ),
        ),
    ),
    passes=(
        (
            'versions {"producer": 2}\npd_op.f(x) -> (out)',
            (
                'versions {"producer": 2}\npd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1] & {"patches": '
                '[{"version": 0, "kind": "add_attr", "target": "a", "type": "pir::Int32Attribute", "data": 1}]}'
            ),
        ),
    ),
)
