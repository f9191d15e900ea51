"""A node of a saved model has an input that the op does not have.

Flags:
    A node with an argument for an input that the release does not declare.

Why it breaks:
    The loader ignores the input, and the op computes without its value.

Instead:
    Load the model with a release that has the input.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="'{op}' of the release has no input '{name}', and ignores it",
    witness="'{op}' computes without '{name}'",
    advice="load the model with a release whose '{op}' has '{name}'",
    facts={"op": "scale", "name": "Bias"},
    flagged=(("model.pdmodel: scale(X, Bias) -> (Out)", "legacy_executor: scale(X) -> (Out)"),),
    passes=(("model.pdmodel: scale(X) -> (Out)", "legacy_executor: scale(X) -> (Out)"),),
)
