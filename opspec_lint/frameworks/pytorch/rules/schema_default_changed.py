"""An argument has another default value.

Flags:
    An argument whose default value differs. Values are compared, not their text: `0.` and `0.0` are one, `1`
    and `1.` are two unless the type is float.

Why it breaks:
    A call that leaves the argument out means something else.

Instead:
    Keep the default value, or add an overload.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the default value of '{name}' was {old} and is {new}",
    witness="calls of '{op}' that leave out '{name}' mean {old} and get {new}",
    advice="keep the default value {old}",
    flagged=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x, int n=2) -> Tensor"),),
    passes=(("a::f(Tensor x, float n=0.) -> Tensor", "a::f(Tensor x, float n=0) -> Tensor"),),
)
