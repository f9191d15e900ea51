"""An input was removed.

Flags:
    An input of base's op that head's op does not have, under no other name that is recognised.

Why it breaks:
    An existing model feeds it. The new framework does not know the name: it refuses the model, or ignores what the
    model says.

Instead:
    Keep the input and ignore it, marked dispensable from the day it was added; or make a new op without it.

Fix:
    In a source tree of Paddle, writes `AddInput` or the argument of the entry again. It is a guess: the removal may be
    meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the input '{name}' was removed",
    witness=("an existing model that feeds '{name}' to '{op}' names an input that the new framework does not have"),
    advice="keep '{name}', even if unused, or give the changed op a new name",
    flagged=(("f(X, Old?) -> (Out)", "f(X) -> (Out)"),),
    passes=(
        ("f(X) -> (Out)", "f(X) -> (Out)"),
        ("f(X) -> (Out)", "f(X, New?) -> (Out)"),
        ("f(X, Old {extra}) -> (Out)", "f(X, Old {extra}) -> (Out)"),
    ),
)
