"""An argument or return shares memory in another way.

Flags:
    An argument or return whose annotation differs, such as `(a!)` for one that is written to. The names of the
    sets count, as they do for PyTorch.

Why it breaks:
    A program was traced or optimised on the assumption that the op writes to these tensors and no others.

Instead:
    Keep the annotation, and add an op for the other behaviour.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the alias annotation of '{name}' changed: {old}, now {new}",
    witness="programs with '{op}' were traced or optimised for the memory that '{name}' shares in base",
    advice="keep {old}, and add an op for the other behaviour",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor(a!) x) -> Tensor"),),
    passes=(("a::f(Tensor(a!) x) -> Tensor", "a::f(Tensor(a!) x, int n=1) -> Tensor"),),
)
