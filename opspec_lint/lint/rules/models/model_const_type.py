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
    since="0.1.0",
    message="the '{name}' of the constant is {given}, and it declares {declared}",
    witness="'{op}' fails when it is run",
    advice="export the model again with the release that will load it",
    facts={"op": "Const", "name": "value", "given": "int32", "declared": "float"},
    flagged=(("node c: Const [dtype = float, value is int32]", "Const() -> (output: dtype)"),),
    passes=(("node c: Const [dtype = int32, value is int32]", "Const() -> (output: dtype)"),),
)
