"""Head is the interface of a model for a loader that checks less.

Flags:
    The interface of a model of which head says that it was saved by TensorFlow 2.12 or earlier, and base by a later
    release: the later one looks at the shapes that a signature is given. It is an error where a spec is compared with
    itself at its base (in a repository, by a hook, by the Action), and a note between two that were named by hand.

Why it breaks:
    Nothing breaks by that alone. But the next change is compared as that loader calls the model, so that less of it
    counts.

Instead:
    Export the model with the same release as before. An older one that is meant needs a waiver.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    level_at_base="error",
    directions=(),
    since="0.1.0",
    message="head is for the loader of {new}, which checks less of what a signature is given than that of {old}",
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
