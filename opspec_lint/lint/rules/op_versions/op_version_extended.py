"""An op has a new version.

Flags:
    An op whose version history has checkpoints at its end that base's does not have.

Why it breaks:
    Nothing breaks: this is how a change is made known to converters and inference engines.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the version history of '{op}' has {checkpoints} more: {new}",
    witness="nothing breaks; models saved from now on have version {total} of '{op}'",
    advice="nothing to do",
    flagged=(("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ +attr a | ~attr a"),),
    passes=(("f(X) -> (Out) @ +attr a", "f(X) -> (Out) @ +attr a"),),
)
