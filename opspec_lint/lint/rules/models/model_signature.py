"""A signature of a saved model cannot be used.

Flags:
    A signature that is asked for and not there, or one that names a tensor that the graph does not have.

Why it breaks:
    The caller finds no signature, or its call fails.

Instead:
    Ask for a signature that is there, or export the model with it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the signature '{name}' {problem}",
    witness="calls of '{name}' fail",
    advice="export the model with the signature '{name}'",
    facts={"name": "predict", "problem": "is not there; there are serving_default"},
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
