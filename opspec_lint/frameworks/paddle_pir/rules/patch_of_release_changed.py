"""The patch of a released version changed.

Flags:
    An action that is new in, or gone from, the patch of a version of PIR that base has already.

Why it breaks:
    A release reads programs of its own version without any patch, and those of an older one as its copy of the
    patch says. Programs of that version, which are written all the time, do not get the new action; two releases of
    one version disagree.

Instead:
    Put new actions into patch/0.yaml, which becomes that of the next version.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="{file}, which belongs to a released version, {change}: {action} of '{op}'",
    witness="two releases of one version of PIR read '{op}' in two ways",
    advice="leave {file} as it was released, and put what is new into patch/0.yaml",
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
