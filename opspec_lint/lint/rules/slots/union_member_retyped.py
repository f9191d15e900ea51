"""The number of a union's member stands for another type.

Flags:
    A number of a union that stands for another table, struct or string in head, since members were inserted,
    removed or exchanged, or one has another type.

Why it breaks:
    A file holds the number of the member and an offset. The table of an old file is read as the other one, slot by
    slot.

Instead:
    Add members at the end, and keep the numbers of all others.

Fix:
    Puts back the members that are gone, or writes base's numbers, where a member has another number now.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    fix="safe",
    message="the number {slot} no longer means the member '{name}'",
    witness="the member {slot} of '{op}' in a file of base is {old_meaning}, and head reads {new_meaning}",
    advice="keep the member '{name}' = {slot}",
    flagged=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { V, T }",
        ),
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { T:V }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { T = 1, V = 2 }",
        ),
    ),
)
