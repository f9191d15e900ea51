"""The release writes graphs of a newer version.

Flags:
    The version of the graphs that head writes is higher than that of base.

Why it breaks:
    Nothing breaks: it happens in each release, and tells new graphs from old.

Instead:
    Nothing to do.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=("forward",),
    since="0.1.0",
    message="the version of the graphs that are written went up from {old} to {new}",
    witness="an op that is deprecated from a version up to {new} on is refused in new graphs",
    advice="nothing to do",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
