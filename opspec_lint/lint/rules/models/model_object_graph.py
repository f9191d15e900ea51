"""The objects of a saved model cannot be restored.

Flags:
    A model whose graph of objects lacks what its checkpoint or its signatures need.

Why it breaks:
    The loader restores objects by that graph.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the object '{name}' {problem}",
    witness="objects of the model are not restored",
    advice="export the model again with the release that will load it",
    facts={"name": "_CHECKPOINTABLE_OBJECT_GRAPH", "problem": "is not in the checkpoint"},
    flagged=(
        (
            "saved_model.pb: variable w: float[2]\nvariables/variables.index: w: float[2]",
            'saved_model.load: versions {"producer": 1395}',
        ),
    ),
    passes=(
        (
            (
                "saved_model.pb: variable w: float[2]\n"
                "variables/variables.index:\n"
                "  w: float[2]\n"
                "  _CHECKPOINTABLE_OBJECT_GRAPH"
            ),
            'saved_model.load: versions {"producer": 1395}',
        ),
    ),
)
