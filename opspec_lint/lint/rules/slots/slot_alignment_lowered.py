"""The alignment of a vector was lowered.

Flags:
    A field whose `force_align` is smaller in head, or gone.

Why it breaks:
    The items of new files may stand at places that are no multiple of the old alignment, which code of old readers
    may depend on.

Instead:
    Keep the alignment.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the alignment of the field '{name}' was lowered from {old} to {new}",
    witness="the vector in slot {slot} of '{op}' in a file of head may begin at no multiple of {old}",
    advice="keep the alignment {old} of '{name}'",
    flagged=(
        (
            "table T { a:[ubyte] (force_align: 16); }",
            "table T { a:[ubyte]; }",
        ),
    ),
    passes=(
        (
            "table T { a:[ubyte]; }",
            "table T { a:[ubyte] (force_align: 4); }",
        ),
    ),
)
