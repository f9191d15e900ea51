"""An attr was added that has a default value.

Flags:
    An attr of head's op that base's op does not have, and that sets a default value.

Why it breaks:
    No existing model breaks: a model that does not set it gets the default. A model that sets it may not load on
    an older framework.

Instead:
    This is the allowed way to add. Let the default value mean what the op did before, and register the change as an
    op version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the attr '{name}' was added with the default value {new}",
    witness=(
        "a new model that sets '{name}' of '{op}' may not load on the old framework; existing models get the "
        "default value"
    ),
    advice="make sure that the default value {new} does what '{op}' did before",
    flagged=(("f(X) -> (Out)", "f(X) -> (Out) [axis: INT = -1]"),),
    passes=(
        ("f(X) -> (Out)", "f(X) -> (Out) [axis: INT]"),
        ("f(X) -> (Out)", "f(X) -> (Out)"),
    ),
)
