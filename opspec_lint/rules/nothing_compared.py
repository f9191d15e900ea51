"""Base and head are the same.

Flags:
    A check in a fresh checkout without a branch, as CI systems make it, whose base is the very commit that is checked.

Why it breaks:
    Nothing was compared, so that nothing was found; and in that CI job nothing ever will be.

Instead:
    Name the branch that the change is to be merged into, as `base` in the configuration or with `--base`.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.1.0",
    message="nothing was compared: head is its own base, {base}",
    witness="whatever was changed before is not seen by this check",
    advice="name the branch that it is to be merged into: --base BRANCH, or `base` in the configuration",
)
