"""A slot belongs to another field.

Flags:
    A slot of base that belongs to another field of the table in head, since a field was inserted, removed or moved
    before it, or ids were exchanged.

Why it breaks:
    A field is known by its slot alone. The value of an old file in the slot is read as the other field, without an
    error.

Instead:
    Add fields at the end of a table, and mark fields as `deprecated` instead of removing them; or give every field
    an `id`.

Fix:
    Puts back the fields that are gone, with `deprecated`; as they were if they are `required` or the `key`. Where that
    does not give every field of base its slot, it gives every field an `id`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the field '{name}' is no longer in slot {slot}",
    witness=(
        "slot {slot} (vtable offset {vtable}) of '{op}' in a file of base holds {old_meaning}; head "
        "reads there {new_meaning}{example}"
    ),
    advice="leave '{name}' in slot {slot}: add at the end, deprecate instead of removing",
    flagged=(
        (
            "table T { a:int; b:int; }",
            "table T { b:int; }",
        ),
        (
            "table T { a:int; b:string; }",
            "table T { a:int; c:float; b:string; }",
        ),
        (
            "table T { a:int (id: 0); b:int (id: 1); }",
            "table T { a:int (id: 1); b:int (id: 0); }",
        ),
    ),
    passes=(
        (
            "table T { a:int (deprecated); b:string (deprecated); }",
            "table T { b:string (deprecated); a:int (deprecated); }",
        ),
        (
            "table T { a:int; b:int; }",
            "table T { a:int (id: 0); b:int (id: 1); }",
        ),
        (
            "table T { a:int; }",
            "table T { b:int; }",
        ),
    ),
)
