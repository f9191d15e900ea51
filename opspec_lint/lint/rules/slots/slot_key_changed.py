"""The key of a table is another field.

Flags:
    A table whose `key` is the field of another slot in head.

Why it breaks:
    A writer sorts vectors by the key of its schema, and a reader searches them by the key of its own: searches miss
    values that are there. The values are intact.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="lost",
    message="the key moved from the field '{name}' to '{new}'",
    witness=(
        "vectors of '{op}' in a file of base are sorted by '{name}'; head searches them by '{new}' and "
        "misses what is there"
    ),
    advice="keep the key '{name}'",
    flagged=(
        (
            "table T { a:int (key); b:int; }",
            "table T { a:int; b:int (key); }",
        ),
    ),
    passes=(
        (
            "table T { a:int (key); }",
            "table T { b:int (key); }",
        ),
    ),
)
