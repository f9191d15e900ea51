"""A declaration has another form.

Flags:
    A name that declares a table, struct, enum or union in base, and another of them in head.

Why it breaks:
    A table is reached by an offset and has a vtable, a struct is stored in place, an enum is a number. The bytes of one
    are read as another: as wrong values, or beyond the end of the file.

Instead:
    Declare the new form under a new name, and add a new field of that type.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="'{name}' was declared as {old} and is declared as {new}",
    witness="the bytes of the {old} '{op}' in a file of base are read as {new}",
    advice="declare the {new} under another name, and add a field of it",
    flagged=(
        (
            "table T { s:S; }\ntable S { a:int; }",
            "table T { s:S; }\nstruct S { a:int; }",
        ),
    ),
    passes=(
        (
            "table S { a:int; }",
            "table S { a:int; b:int; }",
        ),
    ),
)
