"""A waiver pins a value that is no longer so.

Flags:
    A waiver of a finding whose old or new value, or fingerprint, is not the one that the waiver names.

Why it breaks:
    It was given for another change. What it would waive now, nobody has looked at.

Instead:
    Look at the finding anew; `opspec-lint waive FINGERPRINT` writes the waiver of today's.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} was given for another change: {difference}",
    witness="the finding counts: what there is now was not what the waiver is for",
    advice="look at the finding anew and waive {fingerprint}, or delete the waiver",
)
