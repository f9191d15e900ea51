"""The first day of a graph version changed.

Flags:
    Specs that write the same graph version, and state different days on which it was first written.

Why it breaks:
    Nothing breaks. But the half year until older graph versions may be dropped is counted from that day.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the day on which graph version {written} was first written changed from {old} to {new}",
    witness="no graph breaks, but the half year until older graph versions may be dropped is counted from another day",
    advice="keep the day {old}, unless it was wrong",
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
