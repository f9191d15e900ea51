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
    since="0.1.0",
    message="Keras cannot load it: {problem}",
    witness="keras.models.load_model raises an error, where tf.saved_model.load may load the model",
    advice="{remedy}",
    facts={
        "name": "keras",
        "problem": "the Keras of the release takes no SavedModel",
        "remedy": "save it as a .keras file",
    },
    flagged=(("a SavedModel", "Keras 3"),),
    passes=(("a SavedModel", "Keras 2"),),
)
