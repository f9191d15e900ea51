"""A deprecated field was restored.

Flags:
    A field that was `deprecated` and is not, with the same type.

Why it breaks:
    Nothing breaks: files from before the deprecation hold a value of the same type.

Instead:
    Make sure that files from before the deprecation mean the same by it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the deprecated field '{name}' was restored",
    witness="slot {slot} of '{op}' holds {old_meaning} in files from before the deprecation, as in files of head",
    advice="make sure that '{name}' means what it did before it was deprecated",
    flagged=(
        (
            "table T { a:int (deprecated); }",
            "table T { a:int; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:int (deprecated); }",
        ),
    ),
)
