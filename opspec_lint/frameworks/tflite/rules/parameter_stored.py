"""The C struct of an op has a member for an option that it did not have.

Flags:
    A field of the op's options table for which head's builtin_op_data.h has a member, and base's has none.

Why it breaks:
    No existing model breaks by that. A runtime of base ignores the option in a new model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the C struct for the options of '{op}' now has a member for '{name}'",
    witness="a runtime of base ignores '{name}' of '{op}' in a model",
    advice="nothing to do for existing models",
    flagged=(
        (
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": true}] & {"min_version": 1, "max_version": 1, '
                '"options": "Options"}'
            ),
            (
                'f() -> () [x: int = 0 & {"slot": 0, "unstored": false}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
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
