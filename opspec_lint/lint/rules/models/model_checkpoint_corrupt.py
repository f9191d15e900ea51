"""A checkpoint of a saved model is damaged.

Flags:
    An index that cannot be read, a data file that is too short, or, with `--checksums`, bytes that are not those
    that were written.

Why it breaks:
    The loader checks what it reads, and refuses the checkpoint.

Instead:
    Copy the files again from where they came from.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the checkpoint is damaged: '{name}' {problem}",
    witness="variables are not restored",
    advice="copy the checkpoint again from its source",
    facts={"name": "variables.index", "problem": "does not end as a table does"},
    flagged=(("variables.index, cut in half", "variables are restored"),),
    passes=(("variables.index, whole", "variables are restored"),),
)
