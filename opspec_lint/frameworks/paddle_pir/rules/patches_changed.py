"""The patches of an op changed.

Flags:
    An op whose actions of patches in head are not those in base.

Why it breaks:
    Nothing breaks by that alone. Other rules judge what the actions do to existing programs.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the patches of '{name}' were {old} and are {new}",
    witness="the loader of head rewrites '{op}' of existing programs in another way than the loader of base",
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
