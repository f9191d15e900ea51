"""A table has a key and had none.

Flags:
    A table of which a field is the `key` in head, and none was in base.

Why it breaks:
    Vectors with a key are sorted by it and searched by bisection. Those of old files are not sorted: searches miss
    values that are there.

Instead:
    Search old files from front to back, or leave the key out.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="lost",
    message="the field '{name}' became the key",
    witness=(
        "vectors of '{op}' in a file of base are not sorted by '{name}', and a search by key misses what is there"
    ),
    advice="leave the key out, or search without it",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int (key); }",
        ),
    ),
    passes=(
        (
            "table T { a:int (key); }",
            "table T { b:int (key); }",
        ),
    ),
)
