"""The alignment of a struct was raised.

Flags:
    A struct of the same fields, offsets and size with a larger alignment, by `force_align`.

Why it breaks:
    The verifier checks at which address a struct stands. Those of old files may stand at no multiple of the new
    alignment. Whatever is laid out around the struct, in generated code and in other schemas, is laid out in
    another way.

Instead:
    Never change a struct but for names. Declare a new one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="refused",
    message="the alignment of the struct '{name}' was raised from {old} to {new}",
    witness=(
        "'{op}' in a file of base may stand at no multiple of {new}, and the verifier of head refuses "
        "the file; base does not expect the layout of head"
    ),
    advice="keep the alignment of '{name}', and declare a new struct",
    flagged=(
        (
            "struct S { a:int; b:int; }",
            "struct S (force_align: 8) { a:int; b:int; }",
        ),
    ),
    passes=(
        (
            "struct S (force_align: 8) { a:int; b:int; }",
            "struct S { a:int; b:int; }",
        ),
    ),
)
