"""A part of an op's version history was removed.

Flags:
    An op of both sides whose history in base has checkpoints at its end that are missing in head.

Why it breaks:
    Versions are counted. A model with version 2 of an op whose history ends at 1 is refused, or taken for an older one.

Instead:
    Put the checkpoints back; a version history only ever grows.

Fix:
    Puts back the checkpoints that are gone, in base's text.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    fix="safe",
    message="the version history of '{op}' lost {checkpoints} of {total}",
    witness=(
        "a model with version {total} of '{op}' is refused, or taken for an older one: the history of the new "
        "framework ends before it"
    ),
    advice="put the lost checkpoints of '{op}' back",
    flagged=(("f(X) -> (Out) @ +attr a | ~attr a", "f(X) -> (Out) @ +attr a"),),
    passes=(("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ +attr a | ~attr a"),),
)
