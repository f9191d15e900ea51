"""A table has no key any more.

Flags:
    A table of which a field was the `key` in base, and none is in head.

Why it breaks:
    New files need not be sorted. Old readers search their vectors by bisection and miss values that are there.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    consequence="lost",
    message="the field '{name}' is no longer the key",
    witness=(
        "vectors of '{op}' in a file of head are not sorted by '{name}', and a search by key in base "
        "misses what is there"
    ),
    advice="keep the key '{name}'",
    flagged=(
        (
            "table T { a:int (key); }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int (key); }",
            "table T { b:int (key); }",
        ),
    ),
)
