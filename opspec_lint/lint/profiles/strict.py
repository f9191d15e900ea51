"""The profile `strict`: every difference is an error, also that one side states a field and the other does not.

It answers whether a spec file is exactly what its source yields. That two specs come from different kinds of sources
stays a note, unless they are one file before and after a change.
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
