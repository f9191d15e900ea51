"""The converter writes a version that no kernel takes.

Flags:
    A version that GetBuiltinOperatorVersion of op_version.cc returns for the op and that register.cc does not
    take.

Why it breaks:
    A model that the release itself has converted is refused by its own runtime.

Instead:
    Register the version in register.cc and register_ref.cc, or let the converter not return it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the converter writes {versions} of '{op}', and the kernels {kernels}",
    witness="a model that is converted with {versions} of '{op}' is refused by the runtime of the same release",
    advice="register {versions} of '{op}' in register.cc and register_ref.cc",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2, 3]}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1, 2, 3]}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 3]}',
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 3]}',
        ),
    ),
)
