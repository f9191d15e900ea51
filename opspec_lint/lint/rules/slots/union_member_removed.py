"""A member was removed from a union.

Flags:
    A number of a union that no member of head has.

Why it breaks:
    A file of before may hold the member, and the new reader does not know it.

Instead:
    Keep the member.

Fix:
    Puts the member back, with its number.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    consequence="unknown_number",
    fix="safe",
    message="the member '{name}' with the number {slot} was removed",
    witness="a file of base may hold the member {slot} of '{op}', {old_meaning}, which head does not know",
    advice="keep the member '{name}' = {slot}",
    flagged=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { T }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, X:V }",
        ),
    ),
)
