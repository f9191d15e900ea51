"""Keras cannot load a saved model as a Keras model.

Flags:
    A SavedModel that the Keras of the release does not take, or without the metadata that this Keras reads.

Why it breaks:
    Keras makes its layers again from metadata, whose place depends on the release; Keras 3 takes no SavedModel at all.

Instead:
    Load the model with tf.saved_model.load, or save it in a format of Keras.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="Keras cannot load it: {problem}",
    witness="keras.models.load_model raises an error, where tf.saved_model.load may load the model",
    advice="{remedy}",
    facts={
        "name": "keras",
        "problem": "the Keras of the release is Keras 3, which does not accept a SavedModel",
        "remedy": "load it with tf.saved_model.load or keras.layers.TFSMLayer, or save it as a .keras file",
    },
    flagged=(
        (
            "saved_model.pb: layer dense\nvariables/variables.index: _CHECKPOINTABLE_OBJECT_GRAPH",
            'keras.models.load_model: versions {"producer": 1994}',
        ),
    ),
    passes=(
        (
            "saved_model.pb: layer dense\nvariables/variables.index: _CHECKPOINTABLE_OBJECT_GRAPH",
            'keras.models.load_model: versions {"producer": 987}',
        ),
    ),
)
