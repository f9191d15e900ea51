"""The old release reads no new graph at all.

Flags:
    Graphs that head writes are refused by base as a whole, for their version.

Why it breaks:
    Nothing that is exported with the new release can be used with the old one.

Instead:
    Raise what graphs ask of their readers one release after the version that they need.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("forward",),
    since="0.1.0",
    message="the old release, of graph version {written_before}, reads no graph that the new one writes",
    witness="every new graph is refused by a release of graph version {written_before}, whatever ops it has",
    advice="wait until releases that read such graphs are out",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9, "min_consumer": 9}'),),
    passes=(('versions {"producer": 8}', 'versions {"producer": 9, "min_consumer": 8}'),),
)
