"""A field became required.

Flags:
    A field that is `required` in head and was not in base.

Why it breaks:
    The verifier refuses a table without the field, and old files may lack it.

Instead:
    Leave the field optional, and check for it where it is read.

Fix:
    Removes `required`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="refused",
    fix="safe",
    message="the field '{name}' became required",
    witness="'{op}' in a file of base may have no slot {slot}; the verifier of head refuses such a file",
    advice="remove `required` from '{name}'",
    flagged=(
        (
            "table T { a:string; }",
            "table T { a:string (required); }",
        ),
    ),
    passes=(
        (
            "table T { a:string (required); }",
            "table T { a:string; }",
        ),
    ),
)
