"""An asset of a saved model is missing.

Flags:
    A file that the model names as one of its assets and that is not in its folder, or is empty, if the model fills a
    table from a file or reads one when it runs. If it does neither, a missing file has no effect.

Why it breaks:
    The loader fills the tables of a model, and refuses the model if it cannot. If a file that is read later is missing,
    the call that reads it fails.

Instead:
    Copy the whole folder of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the asset '{name}' {problem}",
    witness="the table that is filled from '{name}', or the call that reads it, fails",
    advice="copy '{name}' into `assets/`",
    facts={"name": "words.txt", "problem": "is not there"},
    flagged=(
        (
            "saved_model.pb:\n  InitializeTableFromTextFile() -> (t)\n  asset words.txt",
            "v1.saved_model.loader.load: InitializeTableFromTextFile() -> (t)",
        ),
    ),
    passes=(
        (
            'saved_model.pb:\n  InitializeTableFromTextFile() -> (t)\n  asset words.txt\nassets/words.txt: "one"',
            "v1.saved_model.loader.load: InitializeTableFromTextFile() -> (t)",
        ),
        ("saved_model.pb: asset words.txt", "v1.saved_model.loader.load: NoOp() -> ()"),
    ),
)
