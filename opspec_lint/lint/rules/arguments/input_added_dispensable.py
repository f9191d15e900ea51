"""An optional input was added.

Flags:
    An input of head's op that base's op does not have, and that is dispensable.

Why it breaks:
    No existing model breaks. A model that feeds it does not run on an older framework.

Instead:
    This is the allowed way to add. Register the change as an op version, so that tools can tell old models from new.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the dispensable input '{name}' was added",
    witness=(
        "a new model that uses the input '{name}' of '{op}' does not load on the old framework; existing models do "
        "not use it and still load"
    ),
    advice="nothing to do for existing models",
    flagged=(("f(X) -> (Out)", "f(X, New?) -> (Out)"),),
    passes=(
        ("f(X) -> (Out)", "f(X, New) -> (Out)"),
        ("f(X) -> (Out)", "f(X) -> (Out)"),
    ),
)
