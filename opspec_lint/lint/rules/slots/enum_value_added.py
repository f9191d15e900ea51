"""A value was added to an enum.

Flags:
    A number of an enum that no value of base has.

Why it breaks:
    Old files do not hold the number. An old reader that meets it in a new file has no name for it.

Instead:
    Add values at the end. Let readers ignore or refuse a number that they do not know.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    consequence="unknown_number",
    message="the value '{name}' was added with the number {slot}",
    witness="a file of head may hold the number {slot} in a field of '{op}', for which a reader of base has no name",
    advice="write the new value only where old readers need not read it",
    flagged=(
        (
            "enum E:int { A }",
            "enum E:int { A, B }",
        ),
    ),
    passes=(
        (
            "enum E:int { A }",
            "enum E:int { B }",
        ),
    ),
)
