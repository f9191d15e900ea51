"""A field is no longer declared to hold a nested FlatBuffer.

Flags:
    A field that had a `nested_flatbuffer`, and has none.

Why it breaks:
    No bytes change. The accessor of the nested root is gone.

Instead:
    Nothing to do for files.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the field '{name}' is no longer declared to hold a nested {old}",
    witness="the bytes in slot {slot} of '{op}' are the same; only the accessor of the {old} is gone",
    advice="nothing to do",
    flagged=(
        (
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
            "table T { a:[ubyte]; }\ntable U { a:int; }\ntable V { a:string; }",
        ),
    ),
    passes=(
        (
            "table T { a:[ubyte]; }\ntable U { a:int; }\ntable V { a:string; }",
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
        ),
    ),
)
