"""A waiver waives nothing.

Flags:
    A waiver that fits no finding: after the merge base has the change, and the waiver has done its work.

Why it breaks:
    Nothing breaks, but it would waive the same change if it were made again.

Instead:
    Delete the entry.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} fits no finding",
    witness="it would pass the same change once more",
    advice="delete it: base has the change now, or the change was taken back",
)
