"""A return was added.

Flags:
    A return that only head has.

Why it breaks:
    A program takes as many values from the op as base gives.

Instead:
    Add an overload that gives more.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the return '{name}' was added: {new}",
    witness="programs with '{op}' take fewer values",
    advice="keep the returns, and add an overload",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> (Tensor, Tensor)"),),
    passes=(("a::f(Tensor x) -> (Tensor, Tensor)", "a::f(Tensor x) -> Tensor"),),
)
