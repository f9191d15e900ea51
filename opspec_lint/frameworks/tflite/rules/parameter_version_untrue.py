"""A comment names a version that no op has.

Flags:
    A comment of the schema says that a field is for a version or above, and no op with the options table has
    that version.

Why it breaks:
    Who reads the comment takes the option for one of a version that there is not.

Instead:
    Raise the version of the op, or correct the comment.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the option '{name}' of '{op}' is said to be of {versions}, and the kernels end at version {most}",
    witness="the kernels refuse {versions} of '{op}', which is to have '{name}'",
    advice="raise the version of '{op}' to that of the comment, or correct the comment on '{name}'",
    flagged=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            (
                'f() -> () [x: int = 0 & {"slot": 0, "since_version": 3}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
        ),
    ),
    passes=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            (
                'f() -> () [x: int = 0 & {"slot": 0, "since_version": 1}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
        ),
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "since_version": 3}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "since_version": 3}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
        ),
    ),
)
