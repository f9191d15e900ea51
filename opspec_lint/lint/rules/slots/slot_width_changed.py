"""The offset or the length of a string or vector takes another number of bytes.

Flags:
    A field to which `offset64` or `vector64` was added, or from which it was removed.

Why it breaks:
    With `offset64` the offset takes 8 bytes and not 4, with `vector64` the length does as well. A reader of the other
    schema takes what follows for a part of the number.

Instead:
    Keep the field as it is, and add one with 64 bits.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the field '{name}' had {old}, and has {new}",
    witness="slot {slot} of '{op}' in a file of base refers to '{name}' by {old}; head reads {new} there",
    advice="keep '{name}' with {old_width}, and add a field for the other width",
    flagged=(
        (
            "table T { a:[ubyte]; }",
            "table T { a:[ubyte] (vector64); }",
        ),
        (
            "table T { a:string (offset64); }",
            "table T { a:string; }",
        ),
    ),
    passes=(
        (
            "table T { a:[ubyte] (vector64); }",
            "table T { a:[ubyte] (vector64, offset64); }",
        ),
    ),
)
