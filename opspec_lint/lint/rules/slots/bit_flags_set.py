"""The values of an enum became bits.

Flags:
    An enum that is `bit_flags` in head and was not in base.

Why it breaks:
    The value n was written as n, and is now read as the bit n: 0, 1, 2 became 1, 2, 4.

Instead:
    Declare a new enum of bits, and add a field of it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the values of '{name}' became bits",
    witness="'{value}' of '{op}' is {before} in a file of base, and {now} in head",
    advice="keep '{name}' as it is, and declare a new enum for the bits",
    flagged=(
        (
            "enum E:ubyte { A, B }",
            "enum E:ubyte (bit_flags) { A, B }",
        ),
    ),
    passes=(
        (
            "enum E:ubyte (bit_flags) { A, B }",
            "enum E:ubyte (bit_flags) { A, B, C }",
        ),
    ),
)
