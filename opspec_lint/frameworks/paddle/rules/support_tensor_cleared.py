"""An attr can no longer be given as a tensor.

Flags:
    An attr that a model may give as a tensor under base (`support_tensor` of OpProto), and not under head.

Why it breaks:
    A model may name a variable in place of the attr's value. The new framework takes a value only, and refuses the
    model: "Attribute should not be Variable".

Instead:
    Leave the attr as it is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' can no longer be given as a tensor",
    witness="an existing model names a variable as '{name}' of '{op}', and is refused",
    advice="leave '{name}' an attr that supports tensors",
    flagged=(("f(X) -> (Out) [a: INT = 0 {support_tensor}]", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0]"),),
)
