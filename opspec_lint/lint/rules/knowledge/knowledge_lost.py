"""Head does not know what base knows.

Flags:
    A field of ops, arguments or updates that base knows and head does not, whatever is unknown of it: one field, all
    graph versions, all op versions, earlier declarations. It is an error where a spec is compared with itself at its
    base (in a repository, by a hook, by the Action), and a warning between two specs that were named by hand.

Why it breaks:
    What one side does not know cannot be compared. Any change of it passes without a word, now and in the next change.

Instead:
    Write the spec from the same source as before. A source that is meant to say less needs a waiver.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    level_at_base="error",
    directions=("backward", "forward"),
    message="base knows {what}, and head does not",
    witness="neither this check nor the next one can detect a change of it",
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
