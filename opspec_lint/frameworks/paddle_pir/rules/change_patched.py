"""Patches make whole what changed of an op.

Flags:
    Changes of an op that the loader would refuse or misread, and that patches of head repair in programs of base.

Why it breaks:
    It does not: the loader changes the op before it looks at it.

Instead:
    Nothing is to be done. Keep the patches as long as such programs are to load.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.2.0",
    message="the patches {patch} of '{op}' make whole what changed: {changed}",
    witness="programs with '{op}' that were saved before are changed when they are loaded",
    advice="keep the patches {patch} of '{op}'",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"add_attr", "target": "a", "type": "pir::Int32Attribute", "data": 1}]}'
            ),
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            'pd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1]',
        ),
    ),
)
