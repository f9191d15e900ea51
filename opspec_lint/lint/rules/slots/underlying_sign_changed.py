"""The underlying type of an enum has another sign.

Flags:
    An enum whose underlying type has another sign and the same width, and whose values are in the range of both.

Why it breaks:
    The bytes of all values are the same. A value that is added later may be one that old readers cannot hold.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    consequence="unknown_number",
    message="the sign of the underlying type of '{name}' changed from {old} to {new}",
    witness="all numbers of '{op}' have the same bytes as a {old} and as a {new}",
    advice="keep the underlying type {old}",
    flagged=(
        (
            "enum E:byte { A }",
            "enum E:ubyte { A }",
        ),
    ),
    passes=(
        (
            "enum E:byte { A = -1 }",
            "enum E:short { A = -1 }",
        ),
    ),
)
