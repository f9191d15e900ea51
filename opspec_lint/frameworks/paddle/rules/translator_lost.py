"""The special handler that translates an op to PIR is gone, or no longer uses a name.

Flags:
    An op that has a special handler for the translation to PIR in base (`special_handlers` in op_translator.cc), and
    none in head, or one that uses fewer names of ops, inputs, outputs or attrs.

Why it breaks:
    Paddle 3 translates every `.pdmodel` when it is loaded. The rules for all ops read only the names
    that an op declares: without its handler, the program is refused, or computes something else.

Instead:
    Keep the handler, and extend it for new programs.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the special handler of '{op}' for the translation to PIR loses {lost}",
    witness="Paddle 3 refuses an existing program with '{op}' when it translates it, or computes something else",
    advice="keep the translation of '{op}' as it is for existing programs",
    flagged=(('f(X) -> (Out) & {"translator": {"names": ["axis", "num"]}}', 'f(X) -> (Out) & {"translator": {}}'),),
    passes=(('f(X) -> (Out) & {"translator": {}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),),
)
