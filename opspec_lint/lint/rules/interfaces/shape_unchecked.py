"""The shape of an input changed, and nothing checks it.

Flags:
    An input of a Paddle program whose shape is narrower, or another one, in head.

Why it breaks:
    A predictor of Paddle checks no shape of its inputs. An input of an old size runs, or fails inside of the program.

Instead:
    Leave the dimension open with None or -1 in the InputSpec, or call the new model with every old size.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the shape of '{name}' changed: {old} became {new}, which nothing checks",
    witness=(
        "a caller that feeds '{name}' of '{op}' in an old size of {old} gets a result, or an error from inside of "
        "the program; this may break {who}"
    ),
    advice="export '{name}' as {old}, or try the new model with every old size",
    flagged=(
        (
            ('from paddle 3.0.0\ngraph model(x: float32[None, 4]) -> {"y": float32[None, 4]}'),
            ('from paddle 3.0.0\ngraph model(x: float32[2, 4]) -> {"y": float32[2, 4]}'),
        ),
    ),
    passes=(
        (
            ('from onnx\ngraph model(x: float32[None, 4]) -> {"y": float32[None, 4]}'),
            ('from onnx\ngraph model(x: float32[2, 4]) -> {"y": float32[2, 4]}'),
        ),
    ),
)
