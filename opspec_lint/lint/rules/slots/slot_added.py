"""A field was added to a table.

Flags:
    A field of head in a slot that no field of base has.

Why it breaks:
    Nothing breaks. An old file has the default value there, and an old reader passes over the slot.

Instead:
    This is the allowed way to add a field: at the end, or with the next `id`. Let the default value mean what files
    without the field meant before.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the field '{name}' was added in slot {slot}",
    witness=(
        "a file of base has no slot {slot} in '{op}' and is read with the default value; a reader of base skips it"
    ),
    advice="nothing to do",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int; b:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { b:int; }",
        ),
    ),
)
