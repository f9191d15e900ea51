"""The root type is no longer named.

Flags:
    A schema that named a `root_type`, and does not.

Why it breaks:
    No byte changes. The generated code has no function any more that takes a whole file.

Instead:
    Keep the line `root_type`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the root type '{old}' is no longer named",
    witness="a file that begins with '{op}' has the same bytes as before",
    advice="keep the line root_type",
    flagged=(
        (
            "table T { a:int; }\nroot_type T;",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\nroot_type T;",
            "table T { a:int; }\nroot_type T;",
        ),
    ),
)
