"""A node of a saved model is of a deprecated op.

Flags:
    A node of an op that the release declares as deprecated. It is an error where the graph is of the version from
    which on the op is refused, else a note.

Why it breaks:
    The loader refuses the op in graphs of that version and of later ones.

Instead:
    Export the model again without the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' is refused in graphs from version {since} on, and this graph has version {producer}",
    witness="a graph of version {since} or later with '{op}' is refused",
    advice="use another op instead of '{op}': {explanation}",
    facts={"op": "Inv", "name": "Inv", "since": 17, "producer": 30, "explanation": "use Reciprocal"},
    flagged=(
        (
            'graph.pb:\n  versions {"producer": 30}\n  Inv() -> (y)',
            'import_graph_def: Inv() -> (y: float) deprecated "use Reciprocal" from 17',
        ),
    ),
    passes=(('graph.pb:\n  versions {"producer": 30}\n  Inv() -> (y)', "import_graph_def: Inv() -> (y: float)"),),
)
