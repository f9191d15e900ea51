"""A required field was added to a table.

Flags:
    A field of head that is `required`, in a slot that no field of base has.

Why it breaks:
    The verifier refuses a table without a required field, and no old file has it. Without a verifier the reader
    takes a null pointer.

Instead:
    Add the field without `required`.

Fix:
    Removes `required`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="refused",
    fix="safe",
    message="the required field '{name}' was added in slot {slot}",
    witness="a file of base has no slot {slot} in '{op}', so that head's verifier refuses the file",
    advice="remove `required` from '{name}'",
    flagged=(
        (
            "table T { a:int; }",
            "table T { a:int; s:string (required); }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int; s:string; }",
        ),
    ),
)
