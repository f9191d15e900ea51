"""A constant of a saved model is not of the type that it declares.

Flags:
    A constant whose value is of another type than its attr `dtype`.

Why it breaks:
    The model loads, and fails when the constant is run.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the '{name}' of the constant is {given}, and it declares {declared}",
    witness="'{op}' fails when it is run",
    advice="export the model again with the release that will load it",
    facts={"op": "Const", "name": "value", "given": "int32", "declared": "float"},
    flagged=(
        (
            'graph.pb: Const() -> (c) [dtype: type = "float", value: tensor = "int32"]',
            "import_graph_def: Const() -> (output: dtype) [value: tensor, dtype: type]",
        ),
    ),
    passes=(
        (
            'graph.pb: Const() -> (c) [dtype: type = "int32", value: tensor = "int32"]',
            "import_graph_def: Const() -> (output: dtype) [value: tensor, dtype: type]",
        ),
    ),
)
