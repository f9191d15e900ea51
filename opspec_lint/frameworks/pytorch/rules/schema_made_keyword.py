"""An argument is keyword-only now.

Flags:
    An argument that stands before `*` in base and behind it in head.

Why it breaks:
    A call that gives it by position is refused.

Instead:
    Leave it where it is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="'{name}' is keyword-only now",
    witness="calls of '{op}' that give '{name}' by position are refused",
    advice="keep '{name}' before `*`",
    flagged=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, *, int n) -> Tensor"),),
    passes=(("a::f(Tensor x, *, int n) -> Tensor", "a::f(Tensor x, int n) -> Tensor"),),
)
