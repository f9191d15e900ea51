"""A function of a saved model cannot be registered.

Flags:
    A function that is called like an op of the release, or is there twice and not the same.

Why it breaks:
    The loader refuses the library.

Instead:
    Export the model again with other names.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the function '{name}' of the library {problem}",
    witness="no function of the model can be called",
    advice="rename the function '{name}'",
    facts={"name": "MatMul", "problem": "has the same name as an op of the release"},
    flagged=(
        ("graph.pb: function MatMul: NoOp() -> (x)", "import_graph_def:\n  NoOp() -> ()\n  MatMul() -> (y: float)"),
    ),
    passes=(
        ("graph.pb: function my_matmul: NoOp() -> (x)", "import_graph_def:\n  NoOp() -> ()\n  MatMul() -> (y: float)"),
    ),
)
