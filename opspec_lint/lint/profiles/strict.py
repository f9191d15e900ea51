"""Every difference is an error, also that one side knows what the other does not: is this what the source yields?"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    name="strict",
    summary="every difference is an error",
    levels={
        "op_version_unregistered": "off",
        "op_version_names_nothing": "off",
    },
    floor="error",
)
