"""OpenVINO as opspec-lint knows it.

An op is a class, named `opset8.MaxPool` as in a file. Several opsets have the same class: `min_version` and
`max_version` of an op are the first and the last one.
"""

from opspec_lint.spec.fields import Framework, LoadingValue


def is_version_list(value):
    """Return True for a list of versions of the file format."""
    return isinstance(value, list | tuple) and all(isinstance(version, int) for version in value)


FRAMEWORK = Framework(
    title="OpenVINO",
    bindings=("name",),
    loading=(LoadingValue(name="ir_versions", is_valid=is_version_list, expected="a list of versions"),),
)
