"""Head knows what base does not.

Flags:
    A field of ops, arguments or updates that is unknown in base and known in head; or graph versions, op versions or
    earlier declarations that base does not state.

Why it breaks:
    Nothing breaks: there is no value in base to compare with. Later checks compare it.

Instead:
    Nothing to do, if the values of head are correct.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="head knows {what}, and base does not",
    witness="this check could not compare it with base; later checks will compare it",
    advice="check that head's values are correct",
    flagged=(
        ("f(X) -> (Out) [a: INT = ?]", "f(X) -> (Out) [a: INT = 0]"),
        ("f(X) -> (Out)", "f(X) -> (Out) @ +attr b"),
    ),
    passes=(("f(X) -> (Out)", "f(X) -> (Out) [a: INT = 0]"),),
)
