"""A return was added.

Flags:
    A return that only head has.

Why it breaks:
    A saved program takes exactly as many values from the op as base returns.

Instead:
    Add an overload that returns more.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the return '{name}' was added: {new}",
    witness="saved programs expect fewer values from '{op}' than head returns",
    advice="keep the returns, and add an overload",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> (Tensor, Tensor)"),),
    passes=(("a::f(Tensor x) -> (Tensor, Tensor)", "a::f(Tensor x) -> Tensor"),),
)
