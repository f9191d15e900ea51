"""An optional output was added.

Flags:
    An output of head's op that base's op does not have, and that is dispensable.

Why it breaks:
    No existing model breaks. A model that uses it does not run on an older framework.

Instead:
    This is the allowed way to add. Register the change as an op version, so that tools can tell old models from new.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the dispensable output '{name}' was added",
    witness=(
        "a new model that uses the output '{name}' of '{op}' does not load on the old framework; existing models do "
        "not use it and still load"
    ),
    advice="nothing to do for existing models",
    flagged=(("f(X) -> (Out)", "f(X) -> (Out, New?)"),),
    passes=(
        ("f(X) -> (Out)", "f(X) -> (Out, New)"),
        ("f(X) -> (Out)", "f(X) -> (Out)"),
    ),
)
