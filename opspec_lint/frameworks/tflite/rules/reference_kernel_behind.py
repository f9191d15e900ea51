"""The reference kernels do not take a version that the optimised ones take.

Flags:
    A version of the op that register.cc takes and register_ref.cc does not, though it has the op. An op that
    the reference resolver leaves out as a whole is not meant.

Why it breaks:
    No existing model breaks: base took the version with no reference kernel either. An interpreter with the
    reference kernels, such as those that debug or calibrate a model, refuses a new model that the optimised kernels
    run.

Instead:
    Raise the version in register_ref.cc with that in register.cc.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the reference kernels of '{op}' take {reference}, and not {versions}",
    witness="an interpreter with reference kernels refuses a model with {versions} of '{op}'",
    advice="register {versions} of '{op}' in register_ref.cc as well",
    flagged=(
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 3, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
        ),
    ),
    passes=(
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 2}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 3, "reference_min_version": 1, '
                '"reference_max_version": 3}'
            ),
        ),
        (
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 1}'
            ),
            (
                'f() -> () & {"min_version": 1, "max_version": 2, "reference_min_version": 1, '
                '"reference_max_version": 1}'
            ),
        ),
    ),
)
