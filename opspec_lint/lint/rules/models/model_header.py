"""The loader refuses the header of a saved model.

Flags:
    A file whose header lacks what the loader asks for first: its kind, its version, a dialect that it names.

Why it breaks:
    The loader checks the header first, and refuses the file.

Instead:
    Save the model again, and do not edit the file.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the file is refused: {problem}",
    witness="the release refuses the file before it reads a node",
    advice="{remedy}",
    facts={
        "name": "base_code",
        "problem": "its header does not say that it is a PIR program (`magic`)",
        "remedy": "save the model again",
    },
    flagged=(('program.json:\n  header {"magic": "other"}\n  pd_op.f() -> (a)', "pir_json: pd_op.f() -> (x)"),),
    passes=(('program.json:\n  header {"magic": "pir"}\n  pd_op.f() -> (a)', "pir_json: pd_op.f() -> (x)"),),
)
