"""Every difference of any field that both sides know is an error: is this file still what the source yields?"""

from opspec_lint.profile import Profile

PROFILE = Profile(
    name="strict",
    summary="every difference is an error",
    levels={
        "op_version_unregistered": "off",
        "op_version_names_nothing": "off",
        "op_version_unknown": "off",
        "attr_added_with_default_unstripped": "off",
    },
    floor="error",
)
