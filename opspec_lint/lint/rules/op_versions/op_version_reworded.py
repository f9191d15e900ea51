"""The wording of an op's version history changed.

Flags:
    An op whose history lists the same updates and differs in notes or remarks alone.

Why it breaks:
    Nothing breaks: the words are documentation.

Fix:
    Restores base's text.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    fix="safe",
    message="the notes or remarks of checkpoint {index} of '{op}' were reworded",
    witness="nothing breaks for models of '{op}'; notes and remarks are documentation",
    advice="nothing to do",
    flagged=(('f(X) -> (Out) @ "add a" +attr a', 'f(X) -> (Out) @ "adds a" +attr a'),),
    passes=(('f(X) -> (Out) @ "add a" +attr a', 'f(X) -> (Out) @ "add a" +attr a'),),
)
