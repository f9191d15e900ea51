"""A node of a saved model has an op that the release lacks.

Flags:
    A node whose op neither the release declares nor a function of the model defines.

Why it breaks:
    The loader looks up the op of each node that it takes in. It refuses the model, or fails when the node is run.

Instead:
    Load the model with a release that has the op, or export it again without the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the release has no op '{op}'",
    witness="a model with '{op}' is refused by the release, or stops when the node is run",
    advice="load it with a release that has '{op}', or export the model without that op",
    facts={"op": "pd_op.fancy", "name": "pd_op.fancy", "remedy": "load it with a release that has 'pd_op.fancy'"},
    flagged=(("program.json: pd_op.fancy() -> (a)", "pir_json: pd_op.plain() -> (x)"),),
    passes=(("graph.pb:\n  Fancy() -> (y)\n  function Fancy: NoOp() -> (x)", "import_graph_def: NoOp() -> ()"),),
)
