"""A value of an enum has another number.

Flags:
    A value whose number stands for another value in head, or for none while the value has another number.

Why it breaks:
    The number is written, and not the name. Old files are read as another value, without an error.

Instead:
    Add values at the end, give every value its number, and keep the numbers.

Fix:
    Puts back the values that are gone. Where that does not give every value of base its number, it writes base's
    numbers, and gives new values the next ones.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the value '{name}' no longer has the number {slot}",
    witness=(
        "the number {slot} in a field of '{op}' in a file of base means {old_meaning}, and head reads {new_meaning}"
    ),
    advice="keep '{name}' = {slot}",
    flagged=(
        (
            "enum E:int { A, B }",
            "enum E:int { B, A }",
        ),
        (
            "enum E:int { A, B }",
            "enum E:int { X, A, B }",
        ),
        (
            "enum E:int { A = 1 }",
            "enum E:int { A = 2 }",
        ),
    ),
    passes=(
        (
            "enum E:int { A, B }",
            "enum E:int { A = 0, B = 1 }",
        ),
    ),
)
