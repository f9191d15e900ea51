"""A field is no longer required.

Flags:
    A field that was `required` in base, and in head is not, is deprecated, or is gone.

Why it breaks:
    New files may lack the field, and the verifier of an old reader refuses them.

Instead:
    Keep writing the field in every file that old readers have to take.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    consequence="refused",
    message="the field '{name}' is no longer required",
    witness="'{op}' in a file of head may have no slot {slot}; the verifier of base refuses such a file",
    advice="keep '{name}' required",
    flagged=(
        (
            "table T { a:string (required); }",
            "table T { a:string; }",
        ),
        (
            "table T { a:int; b:string (required); }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:string; }",
            "table T { a:string (required); }",
        ),
    ),
)
