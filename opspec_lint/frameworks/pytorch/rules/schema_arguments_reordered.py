"""The arguments have another order.

Flags:
    Arguments of base and head whose order differs, keyword-only ones included: PyTorch compares them by
    position too.

Why it breaks:
    The new release takes a value that a call gives by position for another argument.

Instead:
    Keep the order, and add arguments at the end.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the arguments are in another order from '{name}' on: {old}, now {new}",
    witness=(
        "calls of '{op}' by position give the arguments in the old order, and the new release takes each for "
        "another one"
    ),
    advice="keep the order {old}",
    flagged=(("a::f(Tensor x, int n, int m) -> Tensor", "a::f(Tensor x, int m, int n) -> Tensor"),),
    passes=(("a::f(Tensor x, int n, int m) -> Tensor", "a::f(Tensor x, int m) -> Tensor"),),
)
