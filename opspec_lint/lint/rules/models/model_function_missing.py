"""A saved model names a function that it does not contain.

Flags:
    A function that a node or an object calls, and that is neither in the library of the model nor an op.

Why it breaks:
    A loader that builds all functions refuses the model; any other fails when the function is called.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the function '{name}' {problem}",
    witness="every call of '{name}' fails",
    advice="export the model again with the release that will load it",
    facts={"op": "PartitionedCall", "name": "f", "problem": "is not in the library"},
    flagged=(
        ('graph.pb: PartitionedCall() -> (y) [f: func = "f"]', "import_graph_def: PartitionedCall() -> () [f: func]"),
    ),
    passes=(
        (
            'graph.pb:\n  PartitionedCall() -> (y) [f: func = "f"]\n  function f: NoOp() -> (x)',
            "import_graph_def:\n  PartitionedCall() -> () [f: func]\n  NoOp() -> ()",
        ),
    ),
)
