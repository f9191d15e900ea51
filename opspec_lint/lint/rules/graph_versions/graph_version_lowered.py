"""The release writes graphs of an older version.

Flags:
    Head writes graphs of a lower version than base.

Why it breaks:
    Graphs that base wrote may require a reader of a version that head no longer is.

Instead:
    Never lower the version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the version of written graphs went down from {old} to {new}",
    witness=(
        "a graph saved with base may require a reader of graph version {old}; the new release has graph version {new} "
        "and refuses it"
    ),
    advice="keep the version at {old} or above",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 8}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
