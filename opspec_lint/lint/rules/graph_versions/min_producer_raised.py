"""Older graphs are no longer read.

Flags:
    The lowest version of the graphs that head reads is higher than that of base.

Why it breaks:
    A saved graph of a version below it is refused as a whole.

Instead:
    Keep reading old graphs. Drop versions only in a major release, at least half a year after the lowest remaining
    version was first written.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the lowest graph version that is read went up from {old} to {new}",
    witness="every graph that was saved with a version below {new} is refused",
    advice="keep reading graphs from version {old} on until the next major release",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "min_producer": 5}'),),
    passes=(('versions {"producer": 9, "min_producer": 5}', 'versions {"producer": 9}'),),
)
