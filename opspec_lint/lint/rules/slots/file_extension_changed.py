"""Files have another extension.

Flags:
    A schema whose `file_extension` was added, removed or changed.

Why it breaks:
    No bytes of a file change. `flatc` gives the new files another extension, and a program that looks for files by the
    old one does not find them.

Instead:
    Keep the extension, or look for files of both.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the file extension changed from {old} to {new}",
    witness="flatc wrote files of '{op}' with the extension {old}, and writes them with {new}",
    advice="keep the extension {old}, or look for both",
    flagged=(
        (
            'table T { a:int; }\nroot_type T;\nfile_extension "one";',
            'table T { a:int; }\nroot_type T;\nfile_extension "two";',
        ),
    ),
    passes=(
        (
            'table T { a:int; }\nroot_type T;\nfile_extension "one";',
            'table T { b:int; }\nroot_type T;\nfile_extension "one";',
        ),
    ),
)
