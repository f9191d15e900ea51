"""Old readers get the default value of a removed field.

Flags:
    A field of base in a slot that no field of head has, and that was not deprecated.

Why it breaks:
    New files do not have the field. Old readers get its default value, as they do of any file without it.

Instead:
    Keep writing the field for as long as old readers depend on it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("slot_removed",),
    level="note",
    directions=("forward",),
    consequence="lost",
    message="files no longer hold the field '{name}' of slot {slot}",
    witness="a file of head has no slot {slot} in '{op}', and a reader of base gets the default value of '{name}'",
    advice="keep '{name}' where readers of base depend on it",
    flagged=(
        (
            "table T { a:int; b:int; }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; b:int; }",
            "table T { a:int; c:int; }",
        ),
    ),
)
