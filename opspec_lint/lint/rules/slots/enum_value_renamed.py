"""A value of an enum was renamed.

Flags:
    A number of an enum that has another name in head, which no value of base has.

Why it breaks:
    No bytes change: the number is written. Generated code and JSON have the new name.

Instead:
    Nothing to do for files.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the value '{name}' was renamed to '{new_name}'",
    witness="the number {slot} in a field of '{op}' stands for the same value under a new name",
    advice="announce the new name to users of the generated code and of JSON",
    flagged=(
        (
            "enum E:int { A, B }",
            "enum E:int { A, C }",
        ),
    ),
    passes=(
        (
            "enum E:int { A, B }",
            "enum E:int { B, A }",
        ),
    ),
)
