"""A comment names a version that no op has.

Flags:
    A comment of the schema that says that a field is for a version or above, where no op with the options table has
    that version.

Why it breaks:
    A reader of the comment relies on a version that does not exist.

Instead:
    Raise the version of the op, or correct the comment.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message=(
        "the comment on the option '{name}' of '{op}' names {versions}, but the kernels take at most version {most}"
    ),
    witness="the kernels refuse {versions} of '{op}', to which the comment assigns '{name}'",
    advice="raise the version of '{op}' to the one in the comment, or correct the comment on '{name}'",
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
