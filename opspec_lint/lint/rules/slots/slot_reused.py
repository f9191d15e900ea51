"""The slot of a deprecated field was reused with another type.

Flags:
    A field in the slot of a `deprecated` one, with bytes of another type.

Why it breaks:
    Files from before the deprecation hold a value of the old type in the slot, and it is read as the new type.

Instead:
    Leave the deprecated field as it is, and add the new one at the end.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="misread",
    message="the slot {slot} of the deprecated field '{name}' was reused",
    witness=(
        "slot {slot} of '{op}' in a file from before the deprecation holds {old_meaning}; head reads "
        "there {new_meaning}{example}"
    ),
    advice="keep '{name}' (deprecated) in slot {slot}, and add the new field at the end",
    flagged=(
        (
            "table T { a:int (deprecated); }",
            "table T { b:string; }",
        ),
    ),
    passes=(
        (
            "table T { a:int (deprecated); }",
            "table T { a:int; }",
        ),
    ),
)
