"""New graphs require a higher version of their readers.

Flags:
    The lowest version that may read the graphs which head writes is higher than that of base.

Why it breaks:
    Releases below it cannot read graphs that the new release writes.

Instead:
    Raise it only if an older release would read new graphs incorrectly.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the version that new graphs require of their readers went up from {old} to {new}",
    witness="releases below version {new} cannot read graphs that the new release writes",
    advice="raise it only if older releases would read new graphs incorrectly",
    flagged=(('versions {"producer": 9}', 'versions {"producer": 9, "min_consumer": 5}'),),
    passes=(('versions {"producer": 9, "min_consumer": 5}', 'versions {"producer": 9}'),),
)
