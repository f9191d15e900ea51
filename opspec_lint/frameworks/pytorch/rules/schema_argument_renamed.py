"""An argument has another name.

Flags:
    An argument that has another name in head, at the same position and with the same type.

Why it breaks:
    A call by keyword is refused, and a program of torch.export names every argument.

Instead:
    Keep the name, or add an overload.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the argument '{name}' is now named '{new_name}'",
    witness="calls of '{op}' that name '{name}' are refused",
    advice="keep the name '{name}'",
    flagged=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x, int m=1) -> Tensor"),),
    passes=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x, float m=1) -> Tensor"),),
)
