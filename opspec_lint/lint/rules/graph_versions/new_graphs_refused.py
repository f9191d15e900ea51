"""The old release cannot read any new graph.

Flags:
    Base refuses all graphs that head writes, because of their version.

Why it breaks:
    Nothing that is exported with the new release can be used with the old one.

Instead:
    Raise the version that graphs require of their readers one release after the version itself.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the old release, of graph version {written_before}, cannot read any graph that the new release writes",
    witness="every new graph is refused by a release of graph version {written_before}, whatever ops it has",
    advice="wait until releases that can read such graphs have been published",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9, "min_consumer": 9}'),),
    passes=(('versions {"producer": 8}', 'versions {"producer": 9, "min_consumer": 8}'),),
)
