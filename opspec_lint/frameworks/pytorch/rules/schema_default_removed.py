"""An argument has no default value any more.

Flags:
    An argument that has a default value in base and none in head.

Why it breaks:
    A call that leaves the argument out is refused.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="'{name}' has no default value any more; it was {old}",
    witness="calls of '{op}' that leave out '{name}' are refused",
    advice="keep the default value {old}",
    flagged=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x, int n) -> Tensor"),),
    passes=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
)
