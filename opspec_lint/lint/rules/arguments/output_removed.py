"""An output was removed.

Flags:
    An output of base's op that head's op does not have, under no other name that is recognised.

Why it breaks:
    An existing model names a variable for it, and later ops read that variable. Nothing writes it any more.

Instead:
    Keep the output and ignore it, marked dispensable from the day it was added; or make a new op without it.

Fix:
    In a source tree of Paddle, writes `AddOutput` or the argument of the entry again. It is a guess: the removal may be
    meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the output '{name}' was removed",
    witness=("an existing model that reads '{name}' of '{op}' reads a variable that the new framework never writes"),
    advice="keep '{name}', even if unused, or give the changed op a new name",
    flagged=(("f(X) -> (Out, Old?)", "f(X) -> (Out)"),),
    passes=(
        ("f(X) -> (Out)", "f(X) -> (Out)"),
        ("f(X) -> (Out)", "f(X) -> (Out, New?)"),
        ("f(X) -> (Out, Old {extra})", "f(X) -> (Out, Old {extra})"),
    ),
)
