"""A waiver names a rule that does not exist.

Flags:
    A waiver whose rule is none of `opspec-lint rules`.

Why it breaks:
    It can waive nothing, and whoever wrote it thinks that it does.

Instead:
    Name the rule as the report does.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} names an unknown rule",
    witness="it can waive nothing",
    advice="{advice}",
)
