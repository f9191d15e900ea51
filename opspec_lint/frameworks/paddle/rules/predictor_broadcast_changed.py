"""The predictor aligns shapes in another way.

Flags:
    A comparison of a release before 3.0 with one from 3.0 on: the predictor of the latter puts a fused op in place of
    `elementwise_add`, which does not look at the attr `axis`. Only profiles that look for what stops saved models ask
    for it.

Why it breaks:
    An existing model may align a smaller shape at an axis in the middle, as the bias of a conv3d. The fused op
    aligns the shapes at their ends: it refuses them, or adds other elements. The executor still looks at the attr.

Instead:
    Run such a model in the executor, or delete the passes that fuse elementwise ops (`delete_pass`).
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    is_of_contract=False,
    level="off",
    directions=("backward",),
    since="0.2.0",
    message="the predictor no longer looks at the attr '{name}' of '{op}', and aligns shapes at their ends",
    witness="an existing model whose '{op}' aligns shapes at an axis of its own fails in the predictor, or differs",
    advice="run such models in the executor, or delete the passes that fuse elementwise ops",
    facts={"name": "axis", "op": "elementwise_add"},
    flagged=(("the predictor of Paddle 2.6.2", "the predictor of Paddle 3.0.0"),),
    passes=(("the predictor of Paddle 3.0.0", "the predictor of Paddle 3.1.0"),),
)
