"""A waiver lacks its reason or its owner.

Flags:
    A waiver without a reason, or without an owner.

Why it breaks:
    Nobody can tell later whether it still holds, or whom to ask. It waives nothing.

Instead:
    Write down why the finding does not count, and who answers for it.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} has no {lacking}",
    witness="it waives nothing: nobody could tell why it is there or whom to ask",
    advice="add {lacking} to the waiver",
)
