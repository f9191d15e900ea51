"""A string became a vector of bytes.

Flags:
    A field that was a string and is a vector of bytes.

Why it breaks:
    A string is a vector of bytes with a zero behind it. Old files can be read; new files lack the zero, so that an
    old verifier refuses them, and an old reader runs on behind the end.

Instead:
    Keep the string, and add a new field for the bytes.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    consequence="refused",
    fix="safe",
    message="the field '{name}' was a string and is {new}",
    witness=(
        "a file of head has no zero behind the bytes in slot {slot} of '{op}', and the verifier of "
        "base refuses the file"
    ),
    advice="keep '{name}: string', and add a field of the type {new}",
    flagged=(
        (
            "table T { a:string; }",
            "table T { a:[ubyte]; }",
        ),
    ),
    passes=(
        (
            "table T { a:[ubyte]; }",
            "table T { a:string; }",
        ),
    ),
)
