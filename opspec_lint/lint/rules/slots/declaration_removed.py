"""A declaration was removed.

Flags:
    A table, struct, enum, union or rpc_service that only base's schema has.

Why it breaks:
    Nothing breaks by itself: each field, union or root type that used the declaration has a separate finding.

Instead:
    Nothing to do, if no field, union or root type used it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {form} '{name}' was removed",
    witness="no field of head uses '{op}'; each field of base that used it has a separate finding",
    advice="nothing to do",
    flagged=(
        (
            "table T { a:int; }\nenum E:byte { A }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int; b:int; }",
        ),
    ),
)
