"""A checkpoint of a saved model is missing.

Flags:
    An index or a data file that is not where the model needs it.

Why it breaks:
    Variables cannot be restored.

Instead:
    Copy the whole folder of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the checkpoint file '{name}' {problem}",
    witness="no variable is restored",
    advice="copy the model with all of its files",
    facts={"name": "variables.index", "problem": "is not there"},
    flagged=(("no file variables.index", "variables are restored"),),
    passes=(("a file variables.index", "variables are restored"),),
)
