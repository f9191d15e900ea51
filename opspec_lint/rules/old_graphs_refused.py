"""The new release reads no graph of the old one.

Flags:
    Graphs that base wrote are refused by head as a whole, for their version.

Why it breaks:
    Every model that was saved with base is lost.

Instead:
    Keep reading the graphs of the release before.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the new release reads no graph that the old one wrote, of version {written_before}",
    witness="every graph that was saved with graph version {written_before} is refused, whatever ops it has",
    advice="keep reading graphs of version {written_before}",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9, "min_producer": 9}'),),
    passes=(('versions {"producer": 8}', 'versions {"producer": 9, "min_producer": 8}'),),
)
