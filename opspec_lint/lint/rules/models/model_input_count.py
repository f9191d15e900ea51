"""A node of a saved model has too many or too few inputs.

Flags:
    A node whose number of inputs is not that of its op.

Why it breaks:
    Inputs are bound by their position. The loader refuses the node.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' takes {expected} inputs here, but the node has {given}",
    witness="a node of '{op}' with {given} inputs is refused",
    advice="export the model again with the release that will load it",
    facts={"op": "Add", "name": "Add", "expected": 2, "given": 1},
    flagged=(
        (
            "graph.pb:\n  Source() -> (x)\n  Add(x) -> (y)",
            "import_graph_def:\n  Source() -> (x: float)\n  Add(x: float, y: float) -> (z: float)",
        ),
    ),
    passes=(
        (
            "graph.pb:\n  Source() -> (x)\n  Add(x, x) -> (y)",
            "import_graph_def:\n  Source() -> (x: float)\n  Add(x: float, y: float) -> (z: float)",
        ),
    ),
)
