"""Patches repair the changes of an op.

Flags:
    Changes of an op that make the loader refuse or misread programs of base, and that patches of head repair.

Why it breaks:
    Nothing breaks: the loader patches the op before it checks the op.

Instead:
    Nothing to do. Keep the patches as long as such programs have to load.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the patches {patch} of '{op}' repair what changed: {changed}",
    witness="the loader patches existing programs with '{op}'",
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
