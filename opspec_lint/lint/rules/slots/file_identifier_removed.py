"""The file identifier was removed.

Flags:
    A schema that had a `file_identifier`, and has none.

Why it breaks:
    New files carry none. A reader of before asks for the identifier and refuses them.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    consequence="refused",
    message="the file identifier {old} was removed",
    witness=(
        "a file of head carries no identifier; a reader of '{op}' in base asks for {old} in bytes 4 to 7"
        " and refuses the file"
    ),
    advice="keep the identifier {old}",
    flagged=(
        (
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
            "table T { a:int; }\nroot_type T;",
        ),
    ),
    passes=(
        (
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
            'table T { b:int; }\nroot_type T;\nfile_identifier "ABC1";',
        ),
    ),
)
