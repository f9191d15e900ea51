"""A saved model is wired wrongly.

Flags:
    An input from a node that does not exist or from an output that the node does not have, a control input before a
    data input, or a cycle.

Why it breaks:
    The loader builds the graph node by node, and refuses one that cannot be built.

Instead:
    Export the model again: the file was damaged, or edited.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the node {problem} ('{name}')",
    witness="no release loads the graph",
    advice="{remedy}",
    facts={
        "op": "Pool",
        "name": "z",
        "problem": "takes an input from 'z', which is not a node",
        "remedy": "export the model again",
    },
    flagged=(("graph.pb: Pool(z) -> (y)", "import_graph_def: Pool(x: float) -> (y: float)"),),
    passes=(
        (
            "graph.pb:\n  Source() -> (z)\n  Pool(z) -> (y)",
            "import_graph_def:\n  Source() -> (x: float)\n  Pool(x: float) -> (y: float)",
        ),
    ),
)
