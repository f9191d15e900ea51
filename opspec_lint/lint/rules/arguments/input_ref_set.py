"""An input must be a reference.

Flags:
    An input that could be any tensor and must now be a reference.

Why it breaks:
    A saved model connects a tensor that is no reference, which the new framework refuses.

Instead:
    Keep the input as it is, or make a new op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the input '{name}' must now be a reference",
    witness="an existing model may connect a plain tensor to '{name}' of '{op}', which the new framework refuses",
    advice="keep '{name}' as it is, or make a new op",
    flagged=(("f(x: float) -> ()", "f(x: Ref(float)) -> ()"),),
    passes=(("f(x: Ref(float)) -> ()", "f(x: float) -> ()"),),
)
