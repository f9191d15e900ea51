"""A node of a saved model lacks an attr that has no default.

Flags:
    A node without an attr that the release declares without a default value.

Why it breaks:
    Nothing can be filled in, so that the loader refuses the node.

Instead:
    Export the model again, or give the attr a default in the framework.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' of '{op}' has no default value, and the node does not set it",
    witness="a node of '{op}' without '{name}' is refused",
    advice="export the model again with the release that will load it",
    facts={"op": "Pool", "name": "k"},
    flagged=(("graph.pb: Pool() -> (y)", "import_graph_def: Pool() -> (y: float) [k: int]"),),
    passes=(("graph.pb: Pool() -> (y)", "import_graph_def: Pool() -> (y: float) [k: int = 2]"),),
)
