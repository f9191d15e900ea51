"""An argument was removed.

Flags:
    An argument that only base has.

Why it breaks:
    A call that gives it is refused, or what it gives is taken for another argument. A call of head does not
    give it; if it is required, base refuses the call.

Instead:
    Keep the argument, ignore it, and add an overload without it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the argument '{name}' was removed: {old}",
    witness="calls of '{op}' that give '{name}' are refused",
    advice="keep '{name}', or keep this overload and add one without it",
    flagged=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x) -> Tensor"),),
    passes=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
)
