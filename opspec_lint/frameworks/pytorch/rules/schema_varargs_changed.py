"""An op takes or gives any number of values now, or no longer does.

Flags:
    An op whose `...` behind its arguments or returns came or went.

Why it breaks:
    Calls give, or programs take, another number of values.

Instead:
    Add an op for the other form.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="'{op}' had {old} and has {new}",
    witness="calls of '{op}' give or take another number of values than one of the releases allows",
    advice="keep {old}",
    flagged=(("a::f(Tensor x, ...) -> Tensor", "a::f(Tensor x) -> Tensor"),),
    passes=(("a::f(Tensor x, ...) -> Tensor", "a::f(Tensor x, ...) -> Tensor y"),),
)
