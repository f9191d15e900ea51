"""A field was removed from a table.

Flags:
    A field of base in a slot that no field of head has, and that was not deprecated.

Why it breaks:
    The value that an old file has in the slot is not read any more.

Instead:
    Keep the field, marked as `deprecated` once no file that matters holds it.

Fix:
    Puts the field back into its slot, with `deprecated`; as it was if it is `required` or the `key`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="lost",
    fix="safe",
    message="the field '{name}' was removed from slot {slot}",
    witness="slot {slot} of '{op}' in a file of base holds {old_meaning}, and head reads {new_meaning}",
    advice="keep '{name}' in its slot",
    flagged=(
        (
            "table T { a:int; b:int; }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; b:int (deprecated); }",
            "table T { a:int; }",
        ),
        (
            "table T { a:int; }",
            "table T { b:int; }",
        ),
    ),
)
