"""An argument was added.

Flags:
    An argument that only head has.

Why it breaks:
    Without a default value, a call of base lacks it. Anywhere but behind the arguments of base, it takes the
    place of another one. An old release does not know it: a new call may leave it out only if its default value
    is no list.

Instead:
    Add it at the end, or before the out arguments, with a default value that is no list; or add an overload. Where a
    function is registered without a schema string (`m.def("f", &f)`), PyTorch infers the schema from its type, without
    default values: write the schema as a string, with the inferred names, `f(Tensor _0, int _1=0) -> Tensor _0`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the argument '{name}' was added: {new}",
    witness="calls of '{op}' do not give '{name}', or give something else in its place",
    advice="add '{name}' at the end or before the out arguments, with a default value that is no list{how}",
    flagged=(("a::f(Tensor x) -> Tensor", "a::f(Tensor x, int n) -> Tensor"),),
    passes=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x) -> Tensor"),),
)
