"""The day of a version of graphs changed.

Flags:
    Specs whose highest version of graphs is the same, and that name different days from which on it was written.

Why it breaks:
    Nothing breaks. Whether a lower version was given up too early is counted from that day.

Instead:
    Keep the day, unless it was wrong.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the day from which on graphs of version {written} are written changed from {old} to {new}",
    witness="no graph depends on it; how long ago a version was raised is counted from another day",
    advice="keep the day that base names, unless it was wrong",
    flagged=(
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 8, "producer_since": "2023-01-01"}',
        ),
    ),
    passes=(
        (
            'versions {"producer": 8, "producer_since": "2024-01-01"}',
            'versions {"producer": 9, "producer_since": "2024-05-01"}',
        ),
    ),
)
