"""Older graphs are read again.

Flags:
    The lowest version of the graphs that head reads is lower than that of base.

Why it breaks:
    Nothing breaks: graphs are read that were refused.

Instead:
    Make sure that they are read correctly.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the lowest graph version that is read went down from {old} to {new}",
    witness="graphs from version {new} on are read again",
    advice="make sure that such graphs are read correctly",
    flagged=(('versions {"producer": 9, "min_producer": 5}', 'versions {"producer": 9}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
