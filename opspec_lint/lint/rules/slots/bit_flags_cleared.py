"""The values of an enum are no longer bits.

Flags:
    An enum that was `bit_flags` in base and is not in head.

Why it breaks:
    The value n was written as the bit n, and is now read as n: 1, 2, 4 became 0, 1, 2.

Instead:
    Keep the attribute `bit_flags`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the values of '{name}' are no longer bits",
    witness="'{value}' of '{op}' is {before} in a file of base, and {now} in head",
    advice="keep `bit_flags` of '{name}'",
    flagged=(
        (
            "enum E:ubyte (bit_flags) { A, B }",
            "enum E:ubyte { A, B }",
        ),
    ),
    passes=(
        (
            "enum E:ubyte { A, B }",
            "enum E:ubyte { A, B, C }",
        ),
    ),
)
