"""A loader sets a missing attr to a value of its own.

Flags:
    A node without an attr for which the loader has a value of its own, which is not the default of the declaration.

Why it breaks:
    The default is what the op did before there was the attr, and the value of the loader is another one.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the attr '{name}' of '{op}' is missing and becomes {value}, which is not its default value",
    witness="a node of '{op}' that was run with another '{name}' than {value} computes something else",
    advice="export the model again with the release that will load it",
    facts={"op": "matmul_v2", "name": "trans_x", "value": "false"},
    flagged=(("node matmul_v2(X, Y) without trans_x", "pd_op.matmul(x, y) [transpose_x: bool = true]"),),
    passes=(("node matmul_v2(X, Y) with trans_x = false", "pd_op.matmul(x, y) [transpose_x: bool = true]"),),
)
