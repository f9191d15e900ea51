"""A return has another type.

Flags:
    A return whose type differs.

Why it breaks:
    The calls that follow the op in a saved program expect a value of the old type.

Instead:
    Keep the type, or add an overload.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the type of the return '{name}' was {old} and is {new}",
    witness="saved programs use the result of '{op}' as {old}, and get {new}",
    advice="keep the type {old}",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x) -> Tensor?"),),
    passes=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
)
