"""A byte became a bool.

Flags:
    A field, or an item of a vector, that was a byte and is a bool.

Why it breaks:
    A reader takes every byte but 0 for true. A number above 1 or below 0 of an old file becomes true, without an error.

Instead:
    Keep the byte, and add a field of the type bool.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="misread",
    fix="safe",
    message="the field '{name}' was {old} and is {new}",
    witness="slot {slot} of '{op}' in a file of base holds {old_meaning}; head reads any of them but 0 as true",
    advice="keep '{name}: {old}', and add a field of the type {new}",
    flagged=(
        (
            "table T { a:ubyte; }",
            "table T { a:bool; }",
        ),
        (
            "table T { a:[byte]; }",
            "table T { a:[bool]; }",
        ),
    ),
    passes=(
        (
            "table T { a:bool; }",
            "table T { a:ubyte; }",
        ),
    ),
)
