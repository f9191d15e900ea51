"""The C struct of an op has no member for an option.

Flags:
    A field of the op's options table for which no struct of builtin_op_data.h that the table is read into has a
    member.

Why it breaks:
    The kernel cannot know the option: a model that sets it is taken and computes something else.

Instead:
    Add a member at the end of the struct, and fill it in flatbuffer_conversions.cc.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the C struct for the options of '{op}' has no member for '{name}'",
    witness="a model that sets '{name}' of '{op}' is taken, and '{name}' has no effect",
    advice="add a member for '{name}' to the struct in builtin_op_data.h",
    flagged=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": false}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
        ),
    ),
    passes=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
        ),
    ),
)
