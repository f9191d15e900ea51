"""The slots of an optimizer cannot be restored.

Flags:
    A model whose objects contain an optimizer with slots, such as the moments of Adam, under a release whose optimizers
    have no method to add them (`add_slot`).

Why it breaks:
    The loader creates slots by a method of the optimizer. The optimizers of Keras 2 have this method; those of Keras 3
    and of TensorFlow 1 do not.

Instead:
    Load the model with tf_keras, which is Keras 2, or export it without its optimizer.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the optimizer '{name}' has slots, which {problem}",
    witness="the loader asks '{name}' to add a slot, and the object has no method 'add_slot'",
    advice="{remedy}",
    facts={
        "name": "adam",
        "problem": "only Keras 2 restores, up to TensorFlow 2.15",
        "remedy": (
            "install tf_keras and set TF_USE_LEGACY_KERAS=1, or export the model again without its "
            "optimizer (include_optimizer=False)"
        ),
    },
    flagged=(
        (
            (
                "saved_model.pb:\n"
                "  variable w: float[2]\n"
                "  optimizer adam\n"
                "variables/variables.index:\n"
                "  w: float[2]\n"
                "  _CHECKPOINTABLE_OBJECT_GRAPH"
            ),
            'saved_model.load: versions {"producer": 1994}',
        ),
    ),
    passes=(
        (
            (
                "saved_model.pb:\n"
                "  variable w: float[2]\n"
                "  optimizer adam\n"
                "variables/variables.index:\n"
                "  w: float[2]\n"
                "  _CHECKPOINTABLE_OBJECT_GRAPH"
            ),
            'saved_model.load: versions {"producer": 1645}',
        ),
    ),
)
