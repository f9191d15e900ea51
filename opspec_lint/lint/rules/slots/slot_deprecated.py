"""A field was deprecated.

Flags:
    A field that is `deprecated` in head and was not in base.

Why it breaks:
    Generated code has no accessor of a deprecated field: the value that an old file holds is not read any more. This is
    how FlatBuffers retires a field, so it is a warning.

Instead:
    Deprecate a field only when no file that matters holds it, or convert its value where files are loaded.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    consequence="lost",
    message="the field '{name}' was deprecated",
    witness="slot {slot} of '{op}' in a file of base holds {old_meaning}, and head has no accessor of it",
    advice="keep '{name}' for as long as files that hold it are read",
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
