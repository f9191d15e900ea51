"""Every difference is an error, also that one side knows what the other does not: is this what the source yields?

That two specs were made from different kinds of sources is a note, unless one is the other at its base.
"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="every difference is an error",
    levels={
        "op_version_unregistered": "off",
        "op_version_names_nothing": "off",
    },
    floor="error",
    not_raised=frozenset({"loader_checks_less", "source_kind_changed"}),
)
