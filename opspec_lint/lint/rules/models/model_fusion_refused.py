"""The predictor refuses to fuse an op.

Flags:
    A node of `elementwise_add`, `_sub`, `_mul` or `softplus` whose only reader is an activation that the predictor of
    Paddle 2.6 and later fuses with it, where its elements are float64, int32 or int64, or the release lacks the fused
    op.

Why it breaks:
    The passes fuse the two without a look at the type and at the ops of the release, and then refuse what they made.

Instead:
    Switch oneDNN off, or run the model in the executor.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the loader fuses '{op}' with '{reader}' and then refuses it: {problem}",
    witness="a model with '{op}' in front of '{reader}' is refused",
    advice="switch oneDNN off (`Config.disable_mkldnn()`), or run the model in the executor",
    facts={"op": "elementwise_sub", "name": "abs", "reader": "abs", "problem": "oneDNN has no kernel of int64 for it"},
    flagged=(
        (
            (
                "model.pdmodel:\n"
                "  variable x: int64[2, 3]\n"
                "  elementwise_sub(X: x, Y: x) -> (Out: a)\n"
                "  abs(X: a) -> (Out: b)"
            ),
            "inference_predictor of 3.0.0:\n  elementwise_sub(X, Y) -> (Out)\n  abs(X) -> (Out)",
        ),
    ),
    passes=(
        (
            (
                "model.pdmodel:\n"
                "  variable x: float32[2, 3]\n"
                "  elementwise_sub(X: x, Y: x) -> (Out: a)\n"
                "  abs(X: a) -> (Out: b)"
            ),
            "inference_predictor of 3.0.0:\n  elementwise_sub(X, Y) -> (Out)\n  abs(X) -> (Out)",
        ),
    ),
)
