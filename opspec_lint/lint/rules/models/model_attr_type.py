"""An attr of a saved node has another type.

Flags:
    A node that sets an attr to a value of a type that the release neither declares nor converts.

Why it breaks:
    The loader refuses the node, though the value may be the same.

Instead:
    Export the model again with a release that declares the same type.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' of '{op}' is of type {declared}, but the node has {given}",
    witness="a node of '{op}' with '{name}' as {given} is refused",
    advice="export the model again with the release that will load it",
    facts={"op": "Pool", "name": "k", "declared": "int", "given": "float"},
    flagged=(("graph.pb: Pool() -> (y) [k: float = 0.5]", "import_graph_def: Pool() -> (y: float) [k: int]"),),
    passes=(("graph.pb: Pool() -> (y) [k: int = 2]", "import_graph_def: Pool() -> (y: float) [k: int]"),),
)
