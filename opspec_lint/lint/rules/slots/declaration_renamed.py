"""A declaration was renamed.

Flags:
    A table, struct, enum, union or rpc_service that has another name in head, and is used by the same slots, numbers or
    root type; or one with another namespace.

Why it breaks:
    No bytes change: names are not written. Source code that is generated from the schema has the new name, and so
    has JSON of a union.

Instead:
    Nothing to do for files; announce it to those who build against the generated code.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {form} '{name}' was renamed to '{new_name}'",
    witness="the bytes of '{op}' are those of '{new_name}': names are not written",
    advice="announce the new name to users of the generated code",
    flagged=(
        (
            "table R { t:T; }\ntable T { a:int; }\nroot_type R;",
            "table R { t:U; }\ntable U { a:int; }\nroot_type R;",
        ),
        (
            "namespace a; table T { a:int; }",
            "namespace b; table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { b:int; }",
        ),
    ),
)
