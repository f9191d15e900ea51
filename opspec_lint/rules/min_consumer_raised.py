"""New graphs ask for more of who reads them.

Flags:
    The lowest version that may read the graphs which head writes is higher than that of base.

Why it breaks:
    A release below it reads no graph that the new one writes.

Instead:
    Raise it only where an older release would read new graphs wrongly.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=("forward",),
    since="0.1.0",
    message="the version that new graphs ask of their readers went up from {old} to {new}",
    witness="a release below version {new} reads no graph that the new one writes",
    advice="raise it only where older releases would read new graphs wrongly",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "min_consumer": 5}'),),
    passes=(('versions {"producer": 9, "min_consumer": 5}', 'versions {"producer": 9}'),),
)
