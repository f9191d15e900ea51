"""A root type was named.

Flags:
    A schema that names a `root_type`, and did not.

Why it breaks:
    Nothing breaks: no byte says what a file begins with.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the root type '{new}' was named",
    witness="a file that begins with '{op}' has the same bytes as before",
    advice="nothing to do",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int; }\nroot_type T;",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\nroot_type T;",
            "table T { a:int; }\nroot_type T;",
        ),
    ),
)
