"""The release writes graphs of a newer version.

Flags:
    Head writes graphs of a higher version than base.

Why it breaks:
    Nothing breaks: every release raises it, so that new graphs can be told from old ones.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the version of written graphs went up from {old} to {new}",
    witness="new graphs cannot use an op that is deprecated since a version up to {new}",
    advice="nothing to do",
    flagged=(('versions {"producer": 8}', 'versions {"producer": 9}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
