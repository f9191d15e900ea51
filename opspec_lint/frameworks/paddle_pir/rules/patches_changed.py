"""The patches of an op changed.

Flags:
    An op for which head has not the actions of patches that base has.

Why it breaks:
    Nothing breaks by that alone. Rules of their own tell what the actions make of existing programs.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the patches of '{name}' were {old} and are {new}",
    witness="the loader of head makes something else of '{op}' in existing programs",
    advice="look at the other findings of '{op}', if there are any",
    flagged=(
        (
            'pd_op.f(x) -> (out) & {"patches": []}',
            'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "delete_attr", "target": "a"}]}',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) & {"patches": []}',
            'pd_op.f(x) -> (out) & {"patches": []}',
        ),
    ),
)
