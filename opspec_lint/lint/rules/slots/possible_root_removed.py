"""A table that a file may begin with was removed.

Flags:
    The root table of base, or in a schema without a root type a table that no other declaration leads to, which
    head does not have.

Why it breaks:
    A file that begins with such a table cannot be read any more.

Instead:
    Keep the table, and name the root type of the schema: `root_type T;`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="lost",
    message="the table '{name}', which may be a root, was removed",
    witness="a file of base that begins with '{op}' can no longer be read: head declares no such table",
    advice="keep the table '{name}', or name the root type in the schema",
    flagged=(
        (
            "table T { a:int; }\ntable U { a:int; }",
            "table T { a:int; }",
        ),
        (
            "table T { a:int; }\nroot_type T;\nenum E:byte { A }",
            "enum E:byte { A }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\ntable U { a:int; }\nroot_type T;",
            "table T { a:int; }\nroot_type T;",
        ),
    ),
)
