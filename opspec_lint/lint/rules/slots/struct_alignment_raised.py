"""The alignment of a struct was raised.

Flags:
    A struct of the same layout with a larger alignment, by `force_align`.

Why it breaks:
    The verifier checks at which address a struct stands. Those of old files may stand at no multiple of the new
    alignment.

Instead:
    Leave the alignment as it is, and declare a new struct.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    consequence="refused",
    since="0.1.0",
    message="the alignment of the struct '{name}' was raised from {old} to {new}",
    witness="a '{op}' in a file of base may stand at no multiple of {new}, and the verifier of head refuses the file",
    advice="keep the alignment of '{name}'",
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
