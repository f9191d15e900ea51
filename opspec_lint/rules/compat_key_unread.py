"""A key of op_compat.yaml is one that nothing reads.

Flags:
    A key in Paddle's op_compat.yaml, new in head, that the generator of ops does not know, such as a misspelt one.

Why it breaks:
    The build ignores it without a word, so the op is not what the entry says.

Instead:
    Correct the key, or delete it.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.2.0",
    message="nothing reads the key '{name}' in the entry of '{op}' in op_compat.yaml",
    witness="the op '{op}' is built as if the key were not there",
    advice="correct the key, or delete it",
)
