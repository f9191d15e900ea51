"""A field was declared to hold a nested FlatBuffer.

Flags:
    A field that has a `nested_flatbuffer`, and had none.

Why it breaks:
    No bytes change. Generated code has a further accessor, which is right where the bytes are such a FlatBuffer.

Instead:
    Make sure that old files hold such a FlatBuffer there.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the field '{name}' was declared to hold a nested {new}",
    witness="the bytes in slot {slot} of '{op}' are the same; head reads {new} in them on demand",
    advice="make sure that old files hold {new} there",
    flagged=(
        (
            "table T { a:[ubyte]; }\ntable U { a:int; }\ntable V { a:string; }",
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
        ),
    ),
    passes=(
        (
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
            "table T { a:[ubyte]; }\ntable U { a:int; }\ntable V { a:string; }",
        ),
    ),
)
