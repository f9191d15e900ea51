"""An op is translated to PIR by other code of its own.

Flags:
    An op whose translation to PIR has code of its own in head (`special_handlers` in op_translator.cc), and has none in
    base, or uses fewer names there.

Why it breaks:
    It need not. The new code has to translate all programs that the old one did.

Instead:
    Translate a program of the last release with both, and compare the results.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="code of its own now translates it to PIR, and uses {gained}",
    witness="a program with '{op}' that Paddle 3 translates goes through other code than before",
    advice="make sure that a program of the last release is translated as before",
    flagged=(('f(X) -> (Out) & {"translator": {}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),),
    passes=(
        ('f(X) -> (Out) & {"translator": {"names": ["axis"]}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),
    ),
)
