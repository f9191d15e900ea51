"""A value was removed from an enum.

Flags:
    A number of an enum that no value of head has, and whose name is gone.

Why it breaks:
    A file of before may hold the number, and the new reader has no name for it.

Instead:
    Keep the value; say in a comment that it is not to be used.

Fix:
    Puts the value back, with its number.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="unknown_number",
    fix="safe",
    message="the value '{name}' with the number {slot} was removed",
    witness="a file of base may hold the number {slot} in a field of '{op}', for which head has no name",
    advice="keep the value '{name}' = {slot}",
    flagged=(
        (
            "enum E:int { A, B }",
            "enum E:int { A }",
        ),
    ),
    passes=(
        (
            "enum E:int { A, B }",
            "enum E:int { A, C }",
        ),
    ),
)
