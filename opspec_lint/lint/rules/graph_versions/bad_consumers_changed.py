"""Graphs refuse other releases.

Flags:
    The list of releases that must not read head's graphs differs from base's.

Why it breaks:
    Listed releases cannot read graphs of the new release.

Instead:
    List only releases that are known to be broken.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the consumer versions that new graphs refuse changed from {old} to {new}",
    witness="releases of these graph versions cannot read graphs that the new release writes",
    advice="name only releases that read new graphs incorrectly",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "bad_consumers": [7]}'),),
    passes=(('versions {"producer": 9, "bad_consumers": [7]}', 'versions {"producer": 10, "bad_consumers": [7]}'),),
)
