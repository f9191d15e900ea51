"""A field was renamed.

Flags:
    A field of a table, in its slot, or of a struct, at its offset, that has a new name in head.

Why it breaks:
    No bytes change: names are not written. Generated code and JSON have the new name.

Instead:
    Nothing to do for files; announce it to those who build against the generated code.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the field '{name}' was renamed to '{new_name}'",
    witness="the bytes of '{name}' in '{op}' are those of '{new_name}': names are not written",
    advice="announce the new name to users of the generated code and of JSON",
    flagged=(
        (
            "table T { a:int; }",
            "table T { b:int; }",
        ),
        (
            "struct S { a:int; }",
            "struct S { b:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int; b:int; }",
        ),
    ),
)
