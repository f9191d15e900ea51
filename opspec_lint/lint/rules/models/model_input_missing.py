"""A node of a saved model lacks an input.

Flags:
    A node without an input that is not dispensable, or with one that names a variable that nothing declares.

Why it breaks:
    The loader looks up every input that the op needs, and stops at the first missing one.

Instead:
    Export the model again, or make the input dispensable in the framework.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the input '{name}' of '{op}' {problem}",
    witness="a node of '{op}' without '{name}' stops the model",
    advice="export the model again with the release that will load it",
    facts={"op": "scale", "name": "X", "problem": "is not there"},
    flagged=(("model.pdmodel: scale() -> (Out)", "legacy_executor: scale(X) -> (Out)"),),
    passes=(("model.pdmodel: scale() -> (Out)", "legacy_executor: scale(X?) -> (Out)"),),
)
