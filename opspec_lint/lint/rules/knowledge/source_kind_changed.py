"""Head was made from another kind of source than base.

Flags:
    A spec whose `made_by` differs from that of base, apart from the text after ` of `. It is an error where a spec is
    compared with itself at its base (in a repository, by a hook, by the Action), and a note between two specs that were
    named by hand.

Why it breaks:
    Nothing breaks by that alone. But each kind of source states fields that others do not state, so that less of the
    two specs is compared.

Instead:
    Write the spec from the same kind of source as before. If another kind is intended, add a waiver.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    level_at_base="error",
    directions=(),
    message="head was made by {new}, and base by {old}",
    witness="fields that only one of the two kinds of sources states were not compared: a break in them is not found",
    advice="write the spec from the same kind of source as before: `opspec-lint extract`",
    flagged=(
        (
            'from tensorflow 2.15.1\nsignature f(x: float32[None]) -> {"y": float32[]}',
            'from paddle 3.0.0\nsignature f(x: float32[None]) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            'from tensorflow 2.15.1\nsignature f(x: float32[None]) -> {"y": float32[]}',
            'from tensorflow 2.18.1\nsignature f(x: float32[None]) -> {"y": float32[]}',
        ),
    ),
)
