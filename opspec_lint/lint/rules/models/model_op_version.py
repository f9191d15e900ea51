"""A node of a saved model has an op version that the release does not accept.

Flags:
    An op of a model whose version is not among those that the release takes.

Why it breaks:
    The loader looks for an op of that name and version, finds none, and refuses the model.

Instead:
    Convert the source of the model (its Keras model or SavedModel) with the converter of the release: a newer one
    writes newer versions. Where that converter has no such op, it names what it cannot convert. Without the source,
    ship a runtime that takes the version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the model has version {given} of '{op}', but the release accepts {least} to {greatest}",
    witness="a model with version {given} of '{op}' is refused",
    advice="convert the source of the model with the converter of the release, or ship a runtime that accepts "
    "version {given}",
    facts={"op": "LSTM", "name": "LSTM", "given": 5, "least": 1, "greatest": 4},
    flagged=(
        (
            'model.tflite:\n  LSTM() -> ()\n  versions {"LSTM": 5}',
            'tflite.Interpreter: LSTM() -> () & {"min_version": 1, "max_version": 4}',
        ),
    ),
    passes=(
        (
            'model.tflite:\n  LSTM() -> ()\n  versions {"LSTM": 4}',
            'tflite.Interpreter: LSTM() -> () & {"min_version": 1, "max_version": 4}',
        ),
    ),
)
