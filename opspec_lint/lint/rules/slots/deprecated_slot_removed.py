"""A deprecated field was removed from the end of a table.

Flags:
    A deprecated field of base in a slot that no field of head has. It is an error where a schema is compared with
    itself at its base (in a repository, by a hook, by the Action), and a note between two specs that were named by
    hand.

Why it breaks:
    Nothing breaks now, as neither side reads it. But the next field that is added takes its slot, and files from
    before the deprecation hold the old value there.

Instead:
    Keep the deprecated field as a placeholder for its slot.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    level_at_base="error",
    directions=(),
    message="the deprecated field '{name}' was removed from slot {slot}",
    witness=(
        "slot {slot} of '{op}' is free: a field that is added there reads {old_meaning} of files from "
        "before the deprecation"
    ),
    advice="keep '{name}' (deprecated) to hold its slot",
    flagged=(
        (
            "table T { a:int; b:int (deprecated); }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; b:int; }",
            "table T { a:int; }",
        ),
    ),
)
