"""The special handler that translates an op to PIR is new, or uses more names.

Flags:
    An op that has a special handler for the translation to PIR in head (`special_handlers` in op_translator.cc), and
    none in base, or one that uses fewer names there.

Why it breaks:
    It need not. The handler has to translate all programs that were translated before.

Instead:
    Translate a program of the last release with both, and compare the results.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the special handler of '{op}' for the translation to PIR gains {gained}",
    witness="Paddle 3 translates a program with '{op}' in another way than before",
    advice="make sure that a program of the last release is translated as before",
    flagged=(('f(X) -> (Out) & {"translator": {}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),),
    passes=(
        ('f(X) -> (Out) & {"translator": {"names": ["axis"]}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),
    ),
)
