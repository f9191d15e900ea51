"""The release writes graphs of an older version.

Flags:
    The version of the graphs that head writes is lower than that of base.

Why it breaks:
    Graphs that base wrote may ask for a reader that head no longer is.

Instead:
    Never lower the version.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=("backward",),
    since="0.1.0",
    message="the version of the graphs that are written went down from {old} to {new}",
    witness="a graph of base may ask for a reader of version {old}, which the new release is not",
    advice="keep the version at {old} or above",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 8}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
