"""A field is written with another hash.

Flags:
    A field whose `hash` was added, removed or changed.

Why it breaks:
    No bytes of a file change. A text in JSON that is made binary stores another number than before.

Instead:
    Keep the hash for as long as numbers of old files are compared with new ones.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the hash of the field '{name}' changed from {old} to {new}",
    witness="flatc stored a text of JSON in slot {slot} of '{op}' under the hash {old}, and stores it under {new}",
    advice="keep the hash {old}",
    flagged=(
        (
            'table T { a:int (hash: "fnv1_32"); }',
            'table T { a:int (hash: "fnv1a_32"); }',
        ),
        (
            "table T { a:int; }",
            'table T { a:int (hash: "fnv1a_32"); }',
        ),
    ),
    passes=(
        (
            'table T { a:int (hash: "fnv1_32"); }',
            'table T { b:int (hash: "fnv1_32"); }',
        ),
    ),
)
