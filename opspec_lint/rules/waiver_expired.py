"""A waiver has expired.

Flags:
    A waiver whose last day is over.

Why it breaks:
    What it waived was to be mended by then. The finding counts again.

Instead:
    Mend what the finding names, or have the waiver renewed by its owner.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} expired on {expires} (owner: {owner})",
    witness="the finding that it waived counts again",
    advice="mend what it waived, have {owner} renew it, or delete it",
)
