"""A member of a union was renamed.

Flags:
    A number of a union with a new name in head, and the same type.

Why it breaks:
    No bytes change: the number is written.

Instead:
    Nothing to do for files.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the member '{name}' was renamed to '{new_name}'",
    witness="the number {slot} of '{op}' stands for the same type under a new name",
    advice="announce the new name to users of the generated code and of JSON",
    flagged=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { X:T }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }\ntable V { b:string; }\nunion U { T, V }",
            "table T { a:int; }\ntable V { b:string; }\nunion U { V, T }",
        ),
    ),
)
