"""A return has another type.

Flags:
    A return whose type differs.

Why it breaks:
    What follows the op in a program expects a value of the old type.

Instead:
    Keep the type, or add an overload.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the type of the return '{name}' was {old} and is {new}",
    witness="programs with '{op}' go on with a value of {old}",
    advice="keep the type {old}",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> Tensor?"),),
    passes=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
)
