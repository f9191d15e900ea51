"""Old readers get the default value of a deprecated field.

Flags:
    A field that is `deprecated` in head and was not in base.

Why it breaks:
    New files do not have the field. Old readers get its default value.

Instead:
    Keep writing the field for as long as old readers depend on it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("slot_deprecated",),
    level="note",
    directions=("forward",),
    consequence="lost",
    message="files no longer hold the deprecated field '{name}'",
    witness="a file of head has no slot {slot} in '{op}', and a reader of base gets the default value of '{name}'",
    advice="keep '{name}' where readers of base depend on it",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int (deprecated); }",
        ),
    ),
    passes=(
        (
            "table T { a:int (deprecated); }",
            "table T { a:int; }",
        ),
    ),
)
