"""An attr of a node of a saved model has a value that is not allowed.

Flags:
    A node that sets an attr to a value that is not among the allowed ones, or beyond the minimum or the maximum.

Why it breaks:
    The loader checks every value against the declaration, and refuses the node.

Instead:
    Export the model again with a value that the release allows.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the value {value} of the attr '{name}' of '{op}' {problem}",
    witness="a node of '{op}' with that value of '{name}' is refused",
    advice="set '{name}' to a value that the release allows",
    facts={"op": "Pool", "name": "k", "value": 0, "problem": "is below the minimum 1"},
    flagged=(("graph.pb: Pool() -> (y) [k: int = 0]", "import_graph_def: Pool() -> (y: float) [k: int >= 1]"),),
    passes=(("graph.pb: Pool() -> (y) [k: int = 1]", "import_graph_def: Pool() -> (y: float) [k: int >= 1]"),),
)
