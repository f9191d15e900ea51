"""An argument has another type.

Flags:
    An argument whose type differs, or the number in `int[2]`.

Why it breaks:
    A value that a call gives may not be of the new type. `int` and `SymInt`, and the enums such as
    `ScalarType`, accept each other's values; `T?` and `Scalar` accept more than `T` and `int`.

Instead:
    Keep the type, make it a wider one, or add an overload.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the type of '{name}' was {old} and is {new}",
    witness="saved programs pass a value of {old} for '{name}' of '{op}', which now takes {new}",
    advice="keep the type {old}, or one that accepts all of its values; or add an overload",
    flagged=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, bool n) -> Tensor"),),
    passes=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
)
