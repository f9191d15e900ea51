"""New graphs require a lower version of their readers.

Flags:
    The lowest version that may read the graphs which head writes is lower than that of base.

Why it breaks:
    Nothing breaks by itself: more releases are let in.

Instead:
    Make sure that they read new graphs correctly.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the version that new graphs require of their readers went down from {old} to {new}",
    witness="releases from version {new} on now read graphs that they refused before",
    advice="make sure that these releases read new graphs correctly",
    flagged=(('versions {"producer": 9, "min_consumer": 5}', 'versions {"producer": 9}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
