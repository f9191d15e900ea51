"""An asset of a saved model is missing.

Flags:
    A file that the model says is one of its assets, and that is not in its folder, or is empty where a table is
    made of it.

Why it breaks:
    The table that is filled from it cannot be.

Instead:
    Copy the whole folder of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the asset '{name}' {problem}",
    witness="the model's tables stay empty",
    advice="copy '{name}' into `assets/`",
    facts={"name": "words.txt", "problem": "is not there"},
    flagged=(("saved_model.pb: asset words.txt", 'v1.saved_model.loader.load: versions {"producer": 1395}'),),
    passes=(
        (
            'saved_model.pb: asset words.txt\nassets/words.txt: "one"',
            'v1.saved_model.loader.load: versions {"producer": 1395}',
        ),
    ),
)
