"""The variables of a saved model are never restored.

Flags:
    A model of TensorFlow 2 without a SaverDef, loaded into a session.

Why it breaks:
    The session knows no restore op, and the first run finds variables without a value.

Instead:
    Load it with `tf.saved_model.load`, or export it again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the model has no '{name}', so that a session restores no variable",
    witness="the first run finds variables without a value",
    advice="load it with tf.saved_model.load",
    facts={"name": "saver_def"},
    flagged=(
        (
            (
                "saved_model.pb: variable w: float[2]\n"
                "variables/variables.index:\n"
                "  w: float[2]\n"
                "  _CHECKPOINTABLE_OBJECT_GRAPH"
            ),
            'v1.saved_model.loader.load: versions {"producer": 1395}',
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
