"""The release cannot read a kind of file.

Flags:
    A saved model in a file format that a later release introduced.

Why it breaks:
    The release has no loader for such a file: it looks for a file of another name, or fails on its first bytes.

Instead:
    Load the model with a release that reads the format, or export it in a format that the release reads.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the release cannot read the file: {problem}",
    witness="no loader of the release takes the file",
    advice="{remedy}",
    facts={
        "name": "paddle_pir",
        "problem": "Paddle 2.6.2 has no reader of PIR programs, which Paddle 3 brought",
        "remedy": "load the model with Paddle 3, or export it with Paddle 2 as a .pdmodel",
    },
    flagged=(('program.json:\n  header {"magic": "pir"}\n  pd_op.f() -> (a)', "pir_json of 2.6.2: pd_op.f() -> (x)"),),
    passes=(('program.json:\n  header {"magic": "pir"}\n  pd_op.f() -> (a)', "pir_json of 3.0.0: pd_op.f() -> (x)"),),
)
