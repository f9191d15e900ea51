"""An argument has a default value now.

Flags:
    An argument that is required in base and has a default value in head.

Why it breaks:
    A call of head may leave it out, and base refuses such a call.

Instead:
    Nothing to do for calls of base. Write calls for old releases with the argument.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="'{name}' has the default value {new} now",
    witness="calls of '{op}' in head may leave out '{name}', which base requires",
    advice="nothing to do for existing programs",
    flagged=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, int n=1) -> Tensor"),),
    passes=(("a::f(Tensor x, int n=1) -> Tensor", "a::f(Tensor x, int n) -> Tensor"),),
)
