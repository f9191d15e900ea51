"""The alignment of a vector was raised.

Flags:
    A field whose `force_align` is larger in head.

Why it breaks:
    The items of old files may stand at places that are no multiple of the new alignment. Values are read right;
    code that loads whole registers may fail.

Instead:
    Let the reader copy a vector that is not aligned.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the alignment of the field '{name}' was raised from {old} to {new}",
    witness="the vector in slot {slot} of '{op}' in a file of base may begin at no multiple of {new}",
    advice="take vectors of '{name}' that are not aligned to {new} bytes",
    flagged=(
        (
            "table T { a:[ubyte] (force_align: 4); }",
            "table T { a:[ubyte] (force_align: 16); }",
        ),
    ),
    passes=(
        (
            "table T { a:[ubyte] (force_align: 16); }",
            "table T { a:[ubyte] (force_align: 4); }",
        ),
    ),
)
