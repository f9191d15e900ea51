"""Older graphs are dropped within half a year.

Flags:
    The lowest version of the graphs that head reads was raised to the version that base writes, or to a newer one,
    less than half a year after the day on which base's version was first written.

Why it breaks:
    TensorFlow's guide promises at least six months between the release that adds a graph version and the release that
    drops the versions before it.

Instead:
    Keep reading the older versions, and drop them in a later major release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("min_producer_raised",),
    when=lambda change: bool(change.facts["too_early"]),
    level="error",
    directions=("backward",),
    message=(
        "the lowest graph version that is read became {new} less than half a year after version {new} was first written"
    ),
    witness="graphs below version {new} are refused on {since}, though no release wrote version {new} before {first}",
    advice="keep reading graphs from version {old} on, for at least half a year after {first}",
    flagged=(
        (
            'versions {"producer": 8, "min_producer": 4, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 8, "producer_since": "2024-01-15"}',
        ),
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 9, "producer_since": "2024-05-01"}',
        ),
    ),
    passes=(
        (
            'versions {"producer": 8, "min_producer": 4, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 8, "producer_since": "2024-08-01"}',
        ),
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 9, "producer_since": "2024-08-01"}',
        ),
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 7, "producer_since": "2024-05-01"}',
        ),
    ),
)
