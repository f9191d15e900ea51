"""A key in op_compat.yaml has no effect.

Flags:
    A key of an entry in Paddle's op_compat.yaml that is new in head and that the op generator does not know, such as
    a misspelt one.

Why it breaks:
    The build ignores the key without a message, so the op is not what the entry says.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the op generator ignores the key '{name}' in the op_compat.yaml entry of '{op}'",
    witness="the build makes the op '{op}' as if the key '{name}' were not there",
    advice="correct the key, or delete it",
    facts={"op": "f", "name": "extera"},
    flagged=(
        (
            "op_compat.yaml:\n  - op : f\n    extra :\n      attrs : [bool fast = true]",
            "op_compat.yaml:\n  - op : f\n    extera :\n      attrs : [bool fast = true]",
        ),
    ),
    passes=(
        (
            "op_compat.yaml:\n  - op : f\n    extra :\n      attrs : [bool fast = true]",
            "op_compat.yaml:\n  - op : f\n    extra :\n      attrs : [bool fast = false]",
        ),
    ),
)
