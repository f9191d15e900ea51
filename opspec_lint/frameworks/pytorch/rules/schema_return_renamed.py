"""A return has another name.

Flags:
    A return that has another name in head, or a name where it had none.

Why it breaks:
    Returns with names are read by them: `torch.max(x, 0).values`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the return '{name}' is now named '{new_name}'",
    witness="programs that read the return '{name}' of '{op}' by its name fail",
    advice="keep the name '{name}'",
    flagged=(("a::f(Tensor x) -> (Tensor y, Tensor z)", "a::f(Tensor x) -> (Tensor y, Tensor w)"),),
    passes=(("a::f(Tensor x) -> (Tensor y, Tensor z)", "a::f(Tensor x) -> (Tensor y, int z)"),),
)
