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
    message="'{op}' aligns the shapes {x} and {y} at axis {axis}; the loader fuses it with '{reader}', and aligns them "
    "at their ends",
    witness="'{op}' fails when it runs, as the shapes do not fit at their ends",
    advice="reshape the smaller input so that '{name}' can be -1, or switch oneDNN off (`Config.disable_mkldnn()`)",
    facts={"op": "elementwise_add", "name": "axis", "x": "[2, 3]", "y": "[2]", "axis": 0, "reader": "relu"},
    flagged=(
        (
            (
                "model.pdmodel:\n"
                "  variable x: float32[2, 3]\n"
                "  parameter y: float32[2]\n"
                "  elementwise_add(X: x, Y: y) -> (Out: a) [axis: INT = 0]\n"
                "  relu(X: a) -> (Out: b)"
            ),
            "inference_predictor of 3.0.0:\n  elementwise_add(X, Y) -> (Out) [axis: INT]\n  relu(X) -> (Out)",
        ),
    ),
    passes=(
        (
            (
                "model.pdmodel:\n"
                "  variable x: float32[2, 3]\n"
                "  parameter y: float32[3]\n"
                "  elementwise_add(X: x, Y: y) -> (Out: a) [axis: INT = -1]\n"
                "  relu(X: a) -> (Out: b)"
            ),
            "inference_predictor of 3.0.0:\n  elementwise_add(X, Y) -> (Out) [axis: INT]\n  relu(X) -> (Out)",
        ),
        (
            (
                "model.pdmodel:\n"
                "  variable x: float32[2, 3]\n"
                "  parameter y: float32[2]\n"
                "  elementwise_add(X: x, Y: y) -> (Out: a) [axis: INT = 0]\n"
                "  exp(X: a) -> (Out: b)"
            ),
            "inference_predictor of 3.0.0:\n  elementwise_add(X, Y) -> (Out) [axis: INT]\n  exp(X) -> (Out)",
        ),
    ),
)
