"""An op or an overload has another name.

Flags:
    An op that only base has, where head has one in the same namespace with the same arguments and returns, and
    a name much like it.

Why it breaks:
    A program finds its ops by name and overload.

Instead:
    Keep the old name beside the new one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the op '{op}' is now named '{new}'",
    witness="saved programs with '{op}' are refused: the new release has no op of this name",
    advice="keep '{op}', and declare '{new}' beside it",
    flagged=(("a::f.x(Tensor x) -> Tensor", "a::f.y(Tensor x) -> Tensor"),),
    passes=(("a::f.x(Tensor x) -> Tensor", "a::f.y(Tensor x) -> int"),),
)
