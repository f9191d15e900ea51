"""The predictor aligns shapes in another way.

Flags:
    A comparison of a release before 3.0 with one from 3.0 on: the predictor of the latter fuses `elementwise_add`,
    `_sub`, `_mul` or `_div` with an activation or a scale that reads it, and the fused op does not look at the attr
    `axis`. Only profiles for breaks of saved models enable it.

Why it breaks:
    An existing model may align a smaller shape at an axis in the middle, as the bias of a conv3d. The fused op
    aligns the shapes at their ends, and refuses them. The executor still looks at the attr. An audit of a model tells
    whether it has such a node; a convolution takes up its own bias, for one.

Instead:
    Run such a model in the executor, or switch oneDNN off (`Config.disable_mkldnn()`).
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="off",
    directions=("backward",),
    message="the predictor no longer looks at the attr '{name}' of '{op}', and aligns shapes at their ends",
    witness="an existing model whose '{op}' aligns shapes at an axis of its own may fail in the predictor",
    advice="run such models in the executor, or switch oneDNN off (`Config.disable_mkldnn()`)",
    facts={"op": "elementwise_add", "name": "axis"},
    flagged=(
        (
            "paddle 2.6.2: elementwise_add(X, Y) -> (Out) [axis: INT = -1]",
            "paddle 3.0.0: elementwise_add(X, Y) -> (Out) [axis: INT = -1]",
        ),
    ),
    passes=(
        (
            "paddle 3.0.0: elementwise_add(X, Y) -> (Out) [axis: INT = -1]",
            "paddle 3.1.0: elementwise_add(X, Y) -> (Out) [axis: INT = -1]",
        ),
    ),
)
