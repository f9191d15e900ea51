"""The kernel of a node in a saved model refuses its options or its inputs.

Flags:
    A node whose kernel refuses its options for the shapes that the file states: an axis that the input does not have,
    or a dimension to squeeze that is not 1. Only shapes of the subgraph's inputs and of constants count, as the
    interpreter computes those in between. Of the types of inputs, a BATCH_MATMUL of int16 and int8 counts in a release
    that does not multiply them.

Why it breaks:
    The kernel checks its options when the tensors are allocated, and refuses the node.

Instead:
    Convert the source of the model again, or resize its input to a shape that fits, before the tensors are allocated.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="a node of '{op}' is refused: {problem}",
    witness="allocating the tensors of the model fails",
    advice="convert the source of the model again, or resize its input before the tensors are allocated",
    facts={
        "op": "SQUEEZE",
        "name": "SQUEEZE",
        "problem": "it squeezes the dimension 0 of the shape [2], which is not 1",
    },
    flagged=(
        (
            'model.tflite:\n  SQUEEZE(x) -> (y) [slot0: int = 0]\n  tensor {"name": "x", "shape": [2], "input": 1}',
            'tflite.Interpreter: SQUEEZE() -> () & {"min_version": 1, "max_version": 1}',
        ),
    ),
    passes=(
        (
            'model.tflite:\n  SQUEEZE(x) -> (y) [slot0: int = 0]\n  tensor {"name": "x", "shape": [1], "input": 1}',
            'tflite.Interpreter: SQUEEZE() -> () & {"min_version": 1, "max_version": 1}',
        ),
    ),
)
