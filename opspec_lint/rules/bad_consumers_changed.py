"""Graphs refuse other releases.

Flags:
    The releases that may not read the graphs which this one writes are not those of before.

Why it breaks:
    A release that is named reads no graph of the new one.

Instead:
    Name only releases that are known to be broken.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=("forward",),
    since="0.1.0",
    message="the graph versions that new graphs refuse went from {old} to {new}",
    witness="a release of such a graph version reads no graph that the new one writes",
    advice="name only releases that read new graphs wrongly",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "bad_consumers": [7]}'),),
    passes=(('versions {"producer": 9, "bad_consumers": [7]}', 'versions {"producer": 10, "bad_consumers": [7]}'),),
)
