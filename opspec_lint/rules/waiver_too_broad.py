"""A waiver would waive more than it says.

Flags:
    A waiver that fits more findings than one, or than its `covers` says.

Why it breaks:
    A break that nobody has looked at would pass under it. It waives nothing.

Instead:
    Name the argument (kind and name) or the fingerprint, or say with `covers` how many findings it is for.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the waiver of {what} fits {count} findings and is for {covers}",
    witness="it waives nothing: findings that nobody looked at would pass under it",
    advice="name kind and name, or a fingerprint; or say `covers: {count}`",
)
