"""The root type is another table.

Flags:
    A schema whose `root_type` names another table than before.

Why it breaks:
    A file does not say what it begins with. The root table of an old file is read as the new one, slot by slot.

Instead:
    Keep the root type. Add the new table as a field of it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the root type was '{old}' and is '{new}'",
    witness="the root of a file of base is '{op}', and head reads its slots as those of '{new}'",
    advice="keep '{old}' as the root type, and add '{new}' as a field of it",
    flagged=(
        (
            "table T { a:int; }\ntable U { a:string; }\nroot_type T;",
            "table T { a:int; }\ntable U { a:string; }\nroot_type U;",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\nroot_type T;",
            "table T { a:int; b:int; }\nroot_type T;",
        ),
    ),
)
