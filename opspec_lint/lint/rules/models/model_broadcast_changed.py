"""A node of a saved model broadcasts by another rule.

Flags:
    A node of `elementwise_add`, `_sub`, `_mul` or `_div` that aligns shapes at an axis in the middle, and that the
    predictor of Paddle 3 fuses: its only reader is an activation or a scale. The bias of a convolution is none, as the
    convolution takes it up.

Why it breaks:
    The fused op does not look at `axis`. It aligns the shapes at their ends, and fails when it runs.

Instead:
    Reshape the smaller input, and leave `axis` at -1; or switch oneDNN off.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="'{op}' aligns the shapes {x} and {y} at axis {axis}; the loader fuses it with '{reader}', and aligns them "
    "at their ends",
    witness="'{op}' fails when it runs, as the shapes do not fit at their ends",
    advice="reshape the smaller input so that '{name}' can be -1, or switch oneDNN off (`Config.disable_mkldnn()`)",
    facts={"op": "elementwise_add", "name": "axis", "axis": 0, "x": "[2, 3]", "y": "[2]", "reader": "relu"},
    flagged=(("node elementwise_add(X, Y) [axis = 0], of shapes [2, 3] and [2], then relu", "the predictor of 3.0.0"),),
    passes=(
        ("node elementwise_add(X, Y) [axis = -1], of shapes [2, 3] and [3], then relu", "the predictor of 3.0.0"),
        ("node elementwise_add(X, Y) [axis = 0], of shapes [2, 3] and [2], then exp", "the predictor of 3.0.0"),
    ),
)
