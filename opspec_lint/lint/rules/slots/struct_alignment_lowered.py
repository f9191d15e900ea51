"""The alignment of a struct was lowered.

Flags:
    A struct of the same fields, offsets and size with a smaller alignment.

Why it breaks:
    The verifier of an old reader checks at which address a struct stands. Those of new files may stand at no
    multiple of the old alignment. Whatever is laid out around the struct is laid out in another way.

Instead:
    Never change a struct but for names. Declare a new one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="refused",
    message="the alignment of the struct '{name}' was lowered from {old} to {new}",
    witness=(
        "'{op}' in a file of head may stand at no multiple of {old}, and the verifier of base refuses "
        "the file; head does not expect the layout of base"
    ),
    advice="keep the alignment of '{name}', and declare a new struct",
    flagged=(
        (
            "struct S (force_align: 8) { a:int; b:int; }",
            "struct S { a:int; b:int; }",
        ),
    ),
    passes=(
        (
            "struct S { a:int; b:int; }",
            "struct S (force_align: 8) { a:int; b:int; }",
        ),
    ),
)
