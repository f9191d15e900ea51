"""The declaration of a deprecated field changed.

Flags:
    The type, the default value or an attribute of a field that is deprecated in base, in head or in both. It is an
    error where a schema is compared with itself at its base (in a repository, by a hook, by the Action), and a note
    between two specs that were named by hand.

Why it breaks:
    Nothing breaks by that alone, as one side does not read the field. But files from before the deprecation hold a
    value of the old type, and nothing says so any more: where the field is restored, they are misread.

Instead:
    Leave the declaration of a deprecated field as it is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    level_at_base="error",
    directions=(),
    message="`{field}` of the deprecated field '{name}' in slot {slot} was {old} and is {new}",
    witness="an older file holds {old_meaning} in slot {slot} of '{op}', and no declaration says so",
    advice="leave the declaration of '{name}' as it is, and add a field for the new type",
    flagged=(
        (
            "table T { a:int (deprecated); }",
            "table T { a:string (deprecated); }",
        ),
        (
            "table T { a:int = 1 (deprecated); }",
            "table T { a:int = 2; }",
        ),
    ),
    passes=(
        (
            "table T { a:int (deprecated); }",
            "table T { a:int (deprecated); b:int; }",
        ),
    ),
)
