"""A file identifier was added.

Flags:
    A schema that has a `file_identifier`, and had none.

Why it breaks:
    Files that were written before carry none. A reader that asks for the identifier refuses them.

Instead:
    Give the identifier to a new root table, or accept files without one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="refused",
    message="the file identifier {new} was added",
    witness=(
        "bytes 4 to 7 of a file of base are data; a reader of '{op}' in head asks for {new} there and refuses the file"
    ),
    advice="leave the file identifier out, or accept files without one",
    flagged=(
        (
            "table T { a:int; }\nroot_type T;",
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
        ),
    ),
    passes=(
        (
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
            'table T { b:int; }\nroot_type T;\nfile_identifier "ABC1";',
        ),
    ),
)
