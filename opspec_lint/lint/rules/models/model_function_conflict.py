"""A function of a saved model cannot be registered.

Flags:
    A function that has the name of an op of the release, or a name that two different functions of the model have.

Why it breaks:
    The loader refuses the function library of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the function '{name}' of the library {problem}",
    witness="the loader refuses the functions of the model, so that none can be called",
    advice="rename the function '{name}', and export the model again",
    facts={"name": "MatMul", "problem": "has the same name as an op of the release"},
    flagged=(
        ("graph.pb: function MatMul: NoOp() -> (x)", "import_graph_def:\n  NoOp() -> ()\n  MatMul() -> (y: float)"),
    ),
    passes=(
        ("graph.pb: function my_matmul: NoOp() -> (x)", "import_graph_def:\n  NoOp() -> ()\n  MatMul() -> (y: float)"),
    ),
)
