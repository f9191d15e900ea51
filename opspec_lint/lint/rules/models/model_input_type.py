"""An input of a node of a saved model is of another type.

Flags:
    A node that takes a tensor of a type that its op does not take there.

Why it breaks:
    The loader refuses the node.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="input '{name}' of '{op}' is {expected}, but the node gets {given}",
    witness="a node of '{op}' that gets {given} for '{name}' is refused",
    advice="export the model again with the release that will load it",
    facts={"op": "Neg", "name": "0", "expected": "int32", "given": "float"},
    flagged=(
        (
            "graph.pb:\n  Source() -> (x)\n  Neg(x) -> (y)",
            "import_graph_def:\n  Source() -> (x: float)\n  Neg(x: int32) -> (y: int32)",
        ),
    ),
    passes=(
        (
            "graph.pb:\n  Source() -> (x)\n  Neg(x) -> (y)",
            "import_graph_def:\n  Source() -> (x: int32)\n  Neg(x: int32) -> (y: int32)",
        ),
    ),
)
