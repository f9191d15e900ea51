"""The type of a field changed.

Flags:
    A field whose bytes are of another type in head: another width or signedness, a vector of another type, an
    offset in place of a value, another table.

Why it breaks:
    Nothing in a file says of which type a field is. The bytes are read as the new type: as another value, or as an
    offset that leads anywhere, which a verifier refuses.

Instead:
    Keep the field, and add a new one of the new type.

Fix:
    Writes the type of base in a schema again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the type of the field '{name}' changed from {old} to {new}",
    witness="slot {slot} of '{op}' in a file of base holds {old_meaning}; head reads there {new_meaning}{example}",
    advice="keep '{name}: {old}', and add a field of the type {new}",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:short; }",
        ),
        (
            "table T { a:int; }",
            "table T { a:uint; }",
        ),
        (
            "table T { a:[int]; }",
            "table T { a:[short]; }",
        ),
        (
            "table T { a:[int]; }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int32; }",
        ),
        (
            "enum E:int { A }\ntable T { a:int; }",
            "enum E:int { A }\ntable T { a:E; }",
        ),
    ),
)
