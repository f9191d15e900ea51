"""An op has another options table.

Flags:
    The table of the schema that holds the options of the op is another one than in base.

Why it breaks:
    The number of the table in the union of options stands in every saved model, and the runtime looks for
    another one: it finds no options.

Instead:
    Keep the table, and add fields to it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the options of '{op}' are in {new}, and were in {old}",
    witness="the options of '{op}' in a saved model are passed over",
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
