"""The file identifier changed.

Flags:
    A schema whose `file_identifier` is another one than before.

Why it breaks:
    A verifier and `...BufferHasIdentifier` compare bytes 4 to 7 of a file with the identifier. Old files carry the
    old one.

Instead:
    Keep the identifier for as long as the files can be read.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="refused",
    message="the file identifier changed from {old} to {new}",
    witness=(
        "bytes 4 to 7 of a file of base say {old}; a reader of '{op}' in head asks for {new} and refuses the file"
    ),
    advice="keep the identifier {old}",
    flagged=(
        (
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC2";',
        ),
    ),
    passes=(
        (
            'table T { a:int; }\nroot_type T;\nfile_identifier "ABC1";',
            'table T { b:int; }\nroot_type T;\nfile_identifier "ABC1";',
        ),
    ),
)
