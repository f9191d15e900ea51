"""A variable has another shape in its checkpoint.

Flags:
    A key whose shape in the checkpoint is not that of the variable.

Why it breaks:
    A loader of objects refuses the checkpoint; in a session the variable takes the shape, and the nodes that use
    it fail.

Instead:
    Save the checkpoint from the same graph.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the shape of '{name}' differs: it {problem}",
    witness="what uses the variable of '{name}' fails",
    advice="save the checkpoint with the shape of the graph",
    facts={"name": "w", "problem": "has the shape [2] in the checkpoint, and [3] in the graph"},
    flagged=(
        (
            (
                "saved_model.pb: variable w: float[3]\n"
                "variables/variables.index:\n"
                "  w: float[2]\n"
                "  _CHECKPOINTABLE_OBJECT_GRAPH"
            ),
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
