r"""A node of a saved model has a name that it may not have.

Flags:
    Two nodes of one name, or a name with characters that are not allowed.

Why it breaks:
    The loader refuses the graph.

Instead:
    Give every node a name of its own of letters, digits and `_.\/>-`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the name '{name}' {problem}",
    witness="no release loads the graph",
    advice="rename the node '{name}'",
    facts={"op": "NoOp", "name": "x", "problem": "is the name of two nodes"},
    flagged=(("graph.pb:\n  NoOp() -> (x)\n  NoOp() -> (x)", "import_graph_def: NoOp() -> ()"),),
    passes=(("graph.pb:\n  NoOp() -> (x)\n  NoOp() -> (x_1)", "import_graph_def: NoOp() -> ()"),),
)
