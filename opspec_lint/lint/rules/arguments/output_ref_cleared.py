"""An output is no longer a reference.

Flags:
    An output that was a reference and is now a plain tensor.

Why it breaks:
    A saved model may connect it to an input that has to be a reference, which the new framework refuses.

Instead:
    Keep the output as it is, or make a new op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the output '{name}' is no longer a reference",
    witness="an existing model may connect '{name}' of '{op}' to an input that has to be a reference",
    advice="keep '{name}' as it is, or make a new op",
    flagged=(("f() -> (y: Ref(float))", "f() -> (y: float)"),),
    passes=(("f() -> (y: float)", "f() -> (y: Ref(float))"),),
)
