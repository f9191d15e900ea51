"""A node of a saved model has too many or too few outputs.

Flags:
    A node whose number of outputs is not that of its op, in a framework that binds outputs by their position.

Why it breaks:
    Outputs are bound by their position. The loader refuses the node.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' has {expected} outputs here, but the node has {given}",
    witness="a node of '{op}' with {given} outputs is refused",
    advice="export the model again with the release that will load it",
    facts={"op": "pd_op.f", "name": "pd_op.f", "expected": 2, "given": 1},
    flagged=(("program.json: pd_op.f() -> (a)", "pir_json: pd_op.f() -> (x, y)"),),
    passes=(("program.json: pd_op.f() -> (a, b)", "pir_json: pd_op.f() -> (x, y)"),),
)
