"""The runtime does not read an option.

Flags:
    A field of the op's options table that the code of flatbuffer_conversions.cc does not read, though it reads
    others of the table.

Why it breaks:
    A model that sets the option is taken and computes something else.

Instead:
    Read the field where the C struct of the op is filled, or mark it deprecated in the schema.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the runtime does not read the option '{name}' of '{op}'",
    witness="a model that sets '{name}' of '{op}' is taken, and '{name}' has no effect",
    advice="read '{name}' in flatbuffer_conversions.cc, or mark it deprecated",
    flagged=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": false}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
        ),
    ),
    passes=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
        ),
    ),
)
