"""A field of a struct grew into padding, or shrank.

Flags:
    An integer of a struct with another width, where every field stays at its offset and the size stays.

Why it breaks:
    Padding is zero, and numbers are little-endian: small non-negative values are read alike. Negative values, and
    those beyond the smaller type, are not.

Instead:
    Declare a new struct where values may be large or negative.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    fix="safe",
    message="the type of the field '{name}' changed from {old} to {new} at its offset",
    witness="at offset {slot} of '{op}', only small non-negative values are read alike{example}",
    advice="declare a new struct where '{name}' may be large or negative",
    flagged=(
        (
            "struct S { a:byte; b:int; }",
            "struct S { a:short; b:int; }",
        ),
    ),
    passes=(
        (
            "struct S { a:byte; b:byte; }",
            "struct S { a:short; b:byte; }",
        ),
    ),
)
