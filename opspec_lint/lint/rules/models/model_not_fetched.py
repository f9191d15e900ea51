"""A saved model is stored by git-lfs and was not fetched.

Flags:
    A file that is a pointer of git-lfs in place of the model.

Why it breaks:
    Nothing can be told of a model that is not there.

Instead:
    Run `git lfs pull` before the audit.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    since="0.1.0",
    message="not checked: {problem}",
    witness="'{name}' was not checked",
    advice="{remedy}",
    facts={
        "name": "model.pdmodel",
        "problem": "model.pdmodel: is a pointer of git-lfs, not the model",
        "remedy": "git lfs pull fetches the model",
    },
    flagged=(("model.pdmodel, a pointer of git-lfs", "any release"),),
    passes=(("model.pdmodel, a program", "any release"),),
)
