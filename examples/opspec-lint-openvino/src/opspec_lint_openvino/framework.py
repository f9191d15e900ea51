"""OpenVINO as opspec-lint knows it.

An op is a class, named `opset8.MaxPool` as in a file. Several opsets have the same class: `min_version` and
`max_version` of an op are the first and the last one. `gaps` lists the classes that an opset between them lacks:
opset2 has no RNNCell, which opset1 and opset3 have. `min_bytes` is the size of the smallest file that is read.
"""

from opspec_lint.spec.fields import Framework, LoadingValue

FRAMEWORK = Framework(
    title="OpenVINO",
    bindings=("name",),
    loading=(
        LoadingValue(
            name="ir_versions",
            is_valid=lambda value: isinstance(value, list) and {*map(type, value)} == {int},
            expected="a list of versions",
        ),
        LoadingValue(name="min_bytes", is_valid=lambda value: type(value) is int, expected="a number of bytes"),
        LoadingValue(
            name="gaps",
            is_valid=lambda value: isinstance(value, dict) and all(isinstance(names, list) for names in value.values()),
            expected="lists of classes by opset",
        ),
    ),
)
