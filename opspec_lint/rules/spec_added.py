"""A spec file is new.

Flags:
    A spec file that base does not have, and that is no renamed one; or a source that is checked itself, where base has
    neither a configuration nor anything of it.

Why it breaks:
    Nothing breaks: no model was saved under it. From now on it is a base to compare with.

Instead:
    Nothing is to be done.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.1.0",
    message="the {what} '{name}' is new, with {ops}",
    witness="nothing was saved under it yet",
    advice="nothing is to be done",
)
