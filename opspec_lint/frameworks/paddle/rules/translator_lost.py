"""The code that translates an op to PIR is gone, or no longer uses a name.

Flags:
    An op whose translation to PIR has code of its own in base (`special_handlers` in op_translator.cc), and none in
    head, or code that uses fewer names of ops, inputs, outputs or attrs.

Why it breaks:
    Paddle 3 translates every `.pdmodel` when it is loaded. Without code of its own an op is translated by the rules
    for all ops, which read no other names than those of its declaration: the program is refused, or computes otherwise.

Instead:
    Keep the code, and add to it what new programs need.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the code of its own that translates it to PIR no longer has {lost}",
    witness="an existing program with '{op}' is refused by Paddle 3 when it is translated, or computes otherwise",
    advice="keep the translation of '{op}' as it is for existing programs",
    flagged=(('f(X) -> (Out) & {"translator": {"names": ["axis", "num"]}}', 'f(X) -> (Out) & {"translator": {}}'),),
    passes=(('f(X) -> (Out) & {"translator": {}}', 'f(X) -> (Out) & {"translator": {"names": ["axis"]}}'),),
)
