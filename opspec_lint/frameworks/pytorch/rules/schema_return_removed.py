"""A return was removed.

Flags:
    A return that only base has.

Why it breaks:
    A saved program takes exactly as many values from the op as base returns.

Instead:
    Keep the return, and add an overload without it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the return '{name}' was removed: {old}",
    witness="saved programs expect more values from '{op}' than head returns",
    advice="keep the returns, and add an overload",
    flagged=(("a::f(Tensor x) -> (Tensor, Tensor)", "a::f(Tensor x) -> Tensor"),),
    passes=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> (Tensor, Tensor)"),),
)
