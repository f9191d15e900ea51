"""The reference kernels no longer take a version.

Flags:
    A version of the op that base's register_ref.cc takes and head's does not, though register.cc still does.

Why it breaks:
    An interpreter with the reference kernels refuses a model that it ran before.

Instead:
    Keep the op and its versions in register_ref.cc.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the reference kernels no longer take {versions} of '{op}'",
    witness="an interpreter with reference kernels refuses a model with {versions} of '{op}'",
    advice="register {versions} of '{op}' in register_ref.cc again",
    flagged=(
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 1}'
            ),
        ),
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": null, '
                '"reference_max_version": null}'
            ),
        ),
    ),
    passes=(
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 1}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
        ),
    ),
)
