"""A path holds no saved model that can be read.

Flags:
    A path that does not exist, or a file or folder that is no model of a known kind or cannot be parsed.

Why it breaks:
    No loader takes it. Nothing states whether the file was ever a model.

Instead:
    Name the file or folder of a model, and restore one that was damaged.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{problem}",
    witness="nothing can be loaded from '{name}'",
    advice="{remedy}",
    facts={
        "name": "graph.pb",
        "problem": "graph.pb: is no GraphDef: its bytes cannot be decoded",
        "remedy": "it may be truncated: copy it again",
    },
    flagged=(('graph.pb: "no graph"', "import_graph_def"),),
    passes=(("graph.pb: NoOp() -> (x)", "import_graph_def: NoOp() -> ()"),),
)
