"""The type of a field is another name for the same bytes.

Flags:
    A field whose type is an enum in place of its underlying type, the reverse, or a byte in place of a bool.

Why it breaks:
    The bytes are the same, and so are the values.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the field '{name}' has the type {new} in place of {old}",
    witness="slot {slot} of '{op}' holds {old_meaning}, which is the same as {new_meaning}",
    advice="nothing to do",
    flagged=(
        (
            "enum E:int { A }\ntable T { a:int; }",
            "enum E:int { A }\ntable T { a:E; }",
        ),
        (
            "table T { a:bool; }",
            "table T { a:byte; }",
        ),
    ),
    passes=(
        (
            "table T { a:int; }",
            "table T { a:uint; }",
        ),
    ),
)
