"""A saved model is stored by git-lfs and was not fetched.

Flags:
    A file that is a pointer of git-lfs in place of the model.

Why it breaks:
    The file is a pointer, so there is no model to check.

Instead:
    Run `git lfs pull` before the audit.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="not checked: {problem}",
    witness="'{name}' was not checked",
    advice="{remedy}",
    facts={
        "name": "model.pdmodel",
        "problem": "model.pdmodel: is a pointer of git-lfs",
        "remedy": "`git lfs pull` fetches it",
    },
    flagged=(
        ('model.pdmodel: "version https://git-lfs.github.com/spec/v1\\nsize 1"', "legacy_executor: abs(X) -> (Out)"),
    ),
    passes=(("model.pdmodel: abs(X) -> (Out)", "legacy_executor: abs(X) -> (Out)"),),
)
