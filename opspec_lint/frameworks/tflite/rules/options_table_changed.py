"""An op has another options table.

Flags:
    An op whose options are in one table of the schema in base, and in another one in head.

Why it breaks:
    A saved model holds the number of the table in the union of options, and the runtime looks for another number: it
    finds no options.

Instead:
    Keep the table, and add fields to it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the options of '{op}' are in {new}, and were in {old}",
    witness="the runtime ignores the options of '{op}' in a saved model",
    advice="keep the options of '{op}' in {old}",
    flagged=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "OtherOptions"}',
        ),
    ),
    passes=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
        ),
    ),
)
