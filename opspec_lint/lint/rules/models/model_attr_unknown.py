"""A node of a saved model has an attr that the op does not have.

Flags:
    A node with an attr that the release does not declare, that is not stripped as the default of the release that
    wrote it, and whose name does not begin with `_`. It is a note where the loader ignores it and the value is the
    default, or no result depends on it.

Why it breaks:
    An old release of TensorFlow refuses the node. A loader that ignores the attr computes as if it were not
    there.

Instead:
    Save with `strip_default_attrs`, or load with the op list of the release that saved the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' of the release has no attr '{name}'",
    witness="a node of '{op}' with '{name}' is refused, or computes as if '{name}' were not there",
    advice="save the model without attrs at their defaults, or load it with a release whose '{op}' has '{name}'",
    facts={
        "op": "Pool",
        "name": "wide",
        "remedy": "save the model without attrs at their defaults, or load it with a release whose 'Pool' has 'wide'",
    },
    flagged=(
        (
            "graph.pb: Pool() -> (y) [wide: bool = true]",
            'import_graph_def:\n  versions {"producer": 561}\n  Pool() -> (y: float)',
        ),
    ),
    passes=(
        (
            "graph.pb: Pool() -> (y) [_note: bool = true]",
            'import_graph_def:\n  versions {"producer": 561}\n  Pool() -> (y: float)',
        ),
    ),
)
