"""Head knows what base does not.

Flags:
    A field of ops, arguments or updates that head knows and base does not, or graph versions, op versions or earlier
    declarations that base does not speak of.

Why it breaks:
    Nothing breaks: what head says of it could not be compared with anything. From now on it will be.

Instead:
    Nothing to do, if what head says is true.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="head knows {what}, and base does not",
    witness="this check could not compare it; later checks will",
    advice="check that head's values are correct",
    flagged=(
        ("f(X) -> (Out) [a: INT = ?]", "f(X) -> (Out) [a: INT = 0]"),
        ("f(X) -> (Out)", "f(X) -> (Out) @ +attr b"),
    ),
    passes=(("f(X) -> (Out)", "f(X) -> (Out) [a: INT = 0]"),),
)
