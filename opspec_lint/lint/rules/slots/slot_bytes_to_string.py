"""A vector of bytes became a string.

Flags:
    A field that was a vector of bytes and is a string.

Why it breaks:
    A string has a zero behind it, which vectors of old files lack: the verifier refuses them, and a reader runs on
    behind the end.

Instead:
    Keep the vector, and add a new field for the string.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="refused",
    fix="safe",
    message="the field '{name}' was {old} and is a string",
    witness=(
        "a file of base has no zero behind the bytes in slot {slot} of '{op}', and the verifier of "
        "head refuses the file"
    ),
    advice="keep '{name}: {old}', and add a field of the type string",
    flagged=(
        (
            "table T { a:[ubyte]; }",
            "table T { a:string; }",
        ),
    ),
    passes=(
        (
            "table T { a:string; }",
            "table T { a:[ubyte]; }",
        ),
    ),
)
