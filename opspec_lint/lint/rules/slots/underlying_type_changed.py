"""The underlying type of an enum or union changed.

Flags:
    An enum, or the type of a union, whose numbers have another width, or whose sign decides what some of them are.

Why it breaks:
    The bytes of a field of the enum are read as a number of another width or sign.

Instead:
    Keep the underlying type. Declare a new enum where there are more values than it can hold.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the underlying type of '{name}' changed from {old} to {new}",
    witness="a field of '{op}' in a file of base is a {old}, and head reads a {new}{example}",
    advice="keep the underlying type {old}",
    flagged=(
        (
            "enum E:byte { A }",
            "enum E:int { A }",
        ),
    ),
    passes=(
        (
            "enum E:byte { A }",
            "enum E:ubyte { A }",
        ),
    ),
)
