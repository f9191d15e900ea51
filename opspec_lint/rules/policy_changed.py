"""The change sets its own policy.

Flags:
    A pull request that changes the profile, the levels, the ignored ops, the releases or the specs that it is
    checked by.

Why it breaks:
    A change must not loosen its own check, so base's setting is in force; from the merge on, the new one is.

Instead:
    Have the setting reviewed for itself, best in a pull request of its own.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.1.0",
    message="the setting '{name}' is changed from {old} to {new}; {in_force}",
    witness="after the merge, every later change is checked by the new setting",
    advice="review the setting for itself, best in a change of its own",
)
