"""A nested FlatBuffer has another root.

Flags:
    A field whose `nested_flatbuffer` names another table.

Why it breaks:
    The bytes are a FlatBuffer with the old root table, and are read as one with the new.

Instead:
    Keep the field, and add a new one for the other root.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    consequence="misread",
    message="the nested root of the field '{name}' changed from {old} to {new}",
    witness="the bytes in slot {slot} of '{op}' in a file of base begin with {old}, and head reads {new}",
    advice="keep '{name}', and add a field with the nested root {new}",
    flagged=(
        (
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
            'table T { a:[ubyte] (nested_flatbuffer: "V"); }\ntable U { a:int; }\ntable V { a:string; }',
        ),
    ),
    passes=(
        (
            'table T { a:[ubyte] (nested_flatbuffer: "U"); }\ntable U { a:int; }\ntable V { a:string; }',
            "table T { a:[ubyte]; }\ntable U { a:int; }\ntable V { a:string; }",
        ),
    ),
)
