"""The new release cannot read any graph of the old one.

Flags:
    Head refuses all graphs that base wrote, because of their version.

Why it breaks:
    Every model that was saved with base is lost.

Instead:
    Keep reading the graphs of the release before.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the new release cannot read any graph that the old release wrote, of version {written_before}",
    witness="every graph that was saved with graph version {written_before} is refused, whatever ops it has",
    advice="keep reading graphs of version {written_before}",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9, "min_producer": 9}'),),
    passes=(('versions {"producer": 8}', 'versions {"producer": 9, "min_producer": 8}'),),
)
