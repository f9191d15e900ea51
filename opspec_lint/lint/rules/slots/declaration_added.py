"""A declaration was added.

Flags:
    A table, struct, enum, union or rpc_service that only head's schema has.

Why it breaks:
    Nothing breaks: no file of base holds one.

Instead:
    This is the allowed way to extend a schema.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {form} '{name}' was added",
    witness="no file of base holds '{op}', and a reader of base meets none until a field of a new file uses it",
    advice="nothing to do",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int; }\ntable U { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int; b:int; }",
        ),
    ),
)
