"""An op's version history was rewritten.

Flags:
    An op with a checkpoint that both histories have and that lists other updates: edited in place, or moved by one
    that was inserted before it.

Why it breaks:
    A version number that models already carry now means another state of the op.

Instead:
    Leave old checkpoints as they are, and add a new one at the end.

Fix:
    Restores base's checkpoints, in base's text; those that head has besides stay behind them.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    fix="safe",
    message="checkpoint {index} of the version history of '{op}' was rewritten: {old} became {new}",
    witness="a model that has version {index} of '{op}' is read as another state of the op",
    advice="restore checkpoint {index} of '{op}', and register the change in a new checkpoint at the end",
    flagged=(
        ("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ +attr b"),
        ("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ ~attr b | +attr a"),
    ),
    passes=(("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ +attr a | +attr b"),),
)
