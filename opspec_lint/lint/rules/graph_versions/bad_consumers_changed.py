"""New graphs exclude other releases.

Flags:
    The list of graph versions whose releases must not read head's graphs (`bad_consumers`) differs from base's.

Why it breaks:
    A release of a listed graph version refuses every graph that head writes.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the graph versions of releases that must not read new graphs (bad_consumers) changed from {old} to {new}",
    witness="a release of a listed graph version refuses every graph that the new release writes",
    advice="list only versions of releases that read new graphs incorrectly",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "bad_consumers": [7]}'),),
    passes=(('versions {"producer": 9, "bad_consumers": [7]}', 'versions {"producer": 10, "bad_consumers": [7]}'),),
)
