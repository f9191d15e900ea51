"""The interpreter refuses a tensor of a saved model.

Flags:
    A tensor with a type that the release does not know, with a buffer that is not there or too short for its shape,
    with a quantization that does not fit its shape, or with a shape whose size overflows; an index of a tensor that
    the subgraph does not have.

Why it breaks:
    The interpreter checks each tensor when it is created, and refuses the model.

Instead:
    Convert the source of the model with the converter of the release, without editing the file afterwards: a newer
    converter may write types that the release does not know. Nothing repairs the file itself.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the tensor '{name}' is refused: {problem}",
    witness="the interpreter refuses a model with such a tensor",
    advice="convert the source of the model again, with the converter of the release",
    facts={
        "name": "w",
        "problem": "its `quantized_dimension` is 3, and its shape has 1 dimensions",
    },
    flagged=(
        (
            'model.tflite:\n  ADD() -> ()\n  tensor {"name": "w", "shape": [4], "quantized_dimension": 3}',
            'tflite.Interpreter: ADD() -> () & {"min_version": 1, "max_version": 4}',
        ),
    ),
    passes=(
        (
            'model.tflite:\n  ADD() -> ()\n  tensor {"name": "w", "shape": [4], "quantized_dimension": 0}',
            'tflite.Interpreter: ADD() -> () & {"min_version": 1, "max_version": 4}',
        ),
    ),
)
