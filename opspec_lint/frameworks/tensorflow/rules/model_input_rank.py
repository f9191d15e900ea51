"""A node of a model takes a placeholder of a rank that its shape function refuses.

Flags:
    A node whose input is a placeholder with a stated shape, of another rank than the shape function of the op takes.
    Only demands that the function makes in any case are known, and only placeholders of the main graph state a shape.

Why it breaks:
    TensorFlow runs the shape function when it imports the graph, and refuses the graph.

Instead:
    Export the model with a placeholder of the right rank, or of unknown shape.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="input {name} of '{op}' has to be of rank {expected}, and '{source}' is of rank {given}",
    witness="the shape function of '{op}' refuses the node when the graph is imported",
    advice="export the model with a placeholder of that rank, or of unknown shape",
    facts={"op": "MatMul", "name": "0", "expected": "2", "given": "1", "source": "x"},
    flagged=(
        (
            'graph.pb:\n  Placeholder() -> (x) [dtype: type = "float", shape: shape = [3]]\n  MatMul(x, x) -> (y)',
            (
                "import_graph_def:\n  Placeholder() -> (output: dtype) [dtype: type, shape: shape]\n"
                "  MatMul(a: float, b: float) -> (product: float)"
            ),
        ),
    ),
    passes=(
        (
            'graph.pb:\n  Placeholder() -> (x) [dtype: type = "float", shape: shape = [3, 3]]\n  MatMul(x, x) -> (y)',
            (
                "import_graph_def:\n  Placeholder() -> (output: dtype) [dtype: type, shape: shape]\n"
                "  MatMul(a: float, b: float) -> (product: float)"
            ),
        ),
    ),
)
