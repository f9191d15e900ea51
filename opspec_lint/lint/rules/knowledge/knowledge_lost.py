"""Head does not know what base knows.

Flags:
    A field of ops, arguments or updates that is known in base and unknown in head: one field, all graph versions, all
    op versions, or earlier declarations. It is an error where a spec is compared with itself at its base (in a
    repository, by a hook, by the Action), and a warning between two specs that were named by hand.

Why it breaks:
    A value that one side does not know cannot be compared. A break in it passes without a message, now and in the next
    change.

Instead:
    Write the spec from the same source as before. If the source is meant to state less, add a waiver.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    level_at_base="error",
    directions=("backward", "forward"),
    message="base knows {what}, and head does not",
    witness="a break in it is found neither by this check nor by the next one",
    advice="write the spec from the same source as before: `opspec-lint extract`",
    flagged=(
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = ?]"),
        ("f(X) -> (Out)", "f(X {extra?}) -> (Out)"),
        ("f(X) -> (Out) @ +attr b", "f(X) -> (Out)"),
    ),
    passes=(
        ("f(X) -> (Out) [a: INT = ?]", "f(X) -> (Out) [a: INT = ?]"),
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out)"),
    ),
)
