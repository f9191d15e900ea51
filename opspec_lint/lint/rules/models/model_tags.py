"""A saved model has no meta graph with the requested tags.

Flags:
    Tags that are not, as a set, those of a meta graph; or no tags, where there are several meta graphs to choose from.

Why it breaks:
    The loader takes the meta graph of exactly these tags.

Instead:
    Request the tags of a meta graph of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="no meta graph has the tags {asked}; there are {known}",
    witness="the loader finds no graph",
    advice="use one of: {known}",
    facts={"name": "train", "asked": "the given tags are train", "known": "serve"},
    flagged=(("saved_model.pb: tags serve", 'v1.saved_model.loader.load(tags=["train"])'),),
    passes=(("saved_model.pb: tags serve", 'v1.saved_model.loader.load(tags=["serve"])'),),
)
