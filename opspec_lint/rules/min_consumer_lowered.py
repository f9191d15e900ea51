"""New graphs ask for less of who reads them.

Flags:
    The lowest version that may read the graphs which head writes is lower than that of base.

Why it breaks:
    Nothing breaks by itself: more releases are let in.

Instead:
    Make sure that they read new graphs rightly.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.1.0",
    message="the version that new graphs ask of their readers went down from {old} to {new}",
    witness="a release from version {new} on now reads graphs that it used to refuse",
    advice="make sure that such releases read new graphs rightly",
    flagged=(('versions {"producer": 9, "min_consumer": 5}', 'versions {"producer": 9}'),),
    passes=(('versions {"producer": 9}', 'versions {"producer": 9}'),),
)
