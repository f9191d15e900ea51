"""The runtime reads an option that it did not read.

Flags:
    A field of the op's options table that head's flatbuffer_conversions.cc reads and base's does not.

Why it breaks:
    A model that sets the option now computes what it says.

Instead:
    Nothing to do, if no model was saved that sets the option and relies on its having no effect.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the runtime now reads the option '{name}' of '{op}'",
    witness="a model that sets '{name}' of '{op}' computes something else than before",
    advice="make sure that models which set '{name}' are meant to compute with it",
    flagged=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unread": false}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
        ),
    ),
    passes=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
        ),
    ),
)
