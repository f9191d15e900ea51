"""OpenVINO as opspec-lint knows it.

An op is a class, named `opset8.MaxPool` as in a file. Several opsets have the same class: `min_version` and
`max_version` of an op are the first and the last one. `gaps` lists the classes that an opset between them lacks:
opset2 has no RNNCell, which opset1 and opset3 have.
"""

from __future__ import annotations

from opspec_lint.spec.fields import Framework, LoadingValue


def is_version_list(value: object) -> bool:
    """Return True for a list of versions of the file format."""
    return isinstance(value, list | tuple) and all(isinstance(version, int) for version in value)


def are_gaps(value: object) -> bool:
    """Return True for lists of classes by opset."""
    return isinstance(value, dict) and all(isinstance(names, list | tuple) for names in value.values())


FRAMEWORK = Framework(
    title="OpenVINO",
    bindings=("name",),
    loading=(
        LoadingValue(name="ir_versions", is_valid=is_version_list, expected="a list of versions"),
        LoadingValue(name="gaps", is_valid=are_gaps, expected="lists of classes by opset"),
    ),
)
