"""The layout of a struct changed.

Flags:
    A struct whose fields stand at other offsets in head, are of other types, or that has another size.

Why it breaks:
    A struct has no vtable: its bytes are read where the schema says that they stand.

Instead:
    Never change a struct. Declare a new one, and add a field of it; or use a table.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the layout of the struct '{name}' changed",
    witness="in '{op}' of a file of base, {difference}",
    advice="leave the struct '{name}' as it is, and declare a new one",
    flagged=(
        (
            "struct S { a:byte; b:int; }",
            "struct S { b:int; a:byte; }",
        ),
        (
            "struct S { a:int; }",
            "struct S { a:int; b:int; }",
        ),
        (
            "struct S { a:int; }",
            "struct S { a:float; }",
        ),
    ),
    passes=(
        (
            "struct S { a:int; }",
            "struct S { b:int; }",
        ),
        (
            "struct S { a:byte; b:int; }",
            "struct S { a:short; b:int; }",
        ),
    ),
)
