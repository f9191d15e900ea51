"""OpenVINO's rule: a file names each class of an op, and every later release has it."""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="OpenVINO reads the models of all earlier releases",
    levels={"op_added": "off", "max_version_raised": "off", "attr_added_with_default": "note"},
    default_for=("openvino",),
)
