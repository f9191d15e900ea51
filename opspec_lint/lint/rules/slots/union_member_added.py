"""A member was added to a union.

Flags:
    A number of a union that no member of base has.

Why it breaks:
    Old files do not hold it. An old reader that meets it in a new file knows no such member, and passes over the
    value.

Instead:
    Add members at the end. Let readers refuse a member that they do not know.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    consequence="unknown_number",
    message="the member '{name}' was added with the number {slot}",
    witness="a file of head may hold the member {slot} of '{op}', which a reader of base does not know",
    advice="write the new member only where old readers need not read it",
    flagged=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { X:T }",
        ),
    ),
)
