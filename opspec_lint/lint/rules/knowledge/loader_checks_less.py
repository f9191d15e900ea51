"""Head is the interface of a model for a loader that checks less.

Flags:
    The interface of a model that TensorFlow 2.12 or earlier saved in head, and a later release in base. Only the later
    loader checks the shapes of the arguments of a signature. The finding is an error if a file of a repository is
    compared with an earlier state of itself, and a note between two files that were named on the command line.

Why it breaks:
    Nothing breaks by that alone. But later changes of the interface are judged by what the loader of head checks, so
    changes of shapes are no longer reported.

Instead:
    Export the model with the same release as before. If the older release is intended, add a waiver.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    level_at_base="error",
    directions=(),
    message="head is for the loader of {new}, which checks less of the arguments of a signature than that of {old}",
    witness="a narrower shape breaks callers by keyword under {old}, and not under {new}",
    advice="export the model with the same release as before",
    flagged=(
        (
            'from tensorflow 2.15.1\nsignature f(x: float32[None]) -> {"y": float32[]}',
            'from tensorflow 2.8.4\nsignature f(x: float32[None]) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            'from tensorflow 2.8.4\nsignature f(x: float32[None]) -> {"y": float32[]}',
            'from tensorflow 2.15.1\nsignature f(x: float32[None]) -> {"y": float32[]}',
        ),
    ),
)
