"""A signature of a saved model cannot be used.

Flags:
    A signature that was requested and does not exist, one that names a tensor that the graph does not have, or one that
    `tf.saved_model.load` can make no function of.

Why it breaks:
    The caller finds no signature, or its call fails. `tf.saved_model.load` refuses the model.

Instead:
    Request a signature that exists, or export the model with one that fits.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the signature '{name}' {problem}",
    witness="no caller can use '{name}'",
    advice="{remedy}",
    facts={
        "name": "predict",
        "problem": "is not there; there are serving_default",
        "remedy": "ask for a signature that is there, or export the model with this one",
    },
    flagged=(
        (
            "saved_model.pb:\n  NoOp() -> (x)\n  signature serving_default(x)",
            'v1.saved_model.loader.load(signature="predict"): NoOp() -> ()',
        ),
    ),
    passes=(
        (
            "saved_model.pb:\n  NoOp() -> (x)\n  signature predict(x)",
            'v1.saved_model.loader.load(signature="predict"): NoOp() -> ()',
        ),
    ),
)
