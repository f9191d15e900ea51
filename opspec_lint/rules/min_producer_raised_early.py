"""Older graphs are given up within half a year.

Flags:
    The lowest version of the graphs that head reads is one that base did not write yet, and less than half a year
    lies between the two.

Why it breaks:
    TensorFlow's guide promises six months between the first release that writes a version and the one that reads
    nothing older.

Instead:
    Wait, and give older versions up with a later major release.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    on=("min_producer_raised",),
    when=lambda change: change.too_early,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message=(
        "version {new} is the lowest that is still read, less than half a year after the first graph of it was written"
    ),
    witness="who updated {since_before} has graphs of version {written_before}, and found them refused on {since}",
    advice="keep the lowest version at {old} for half a year",
    flagged=(
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 9, "producer_since": "2024-05-01"}',
        ),
    ),
    passes=(
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 9, "producer_since": "2024-08-01"}',
        ),
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "min_producer": 8, "producer_since": "2024-05-01"}',
        ),
    ),
)
