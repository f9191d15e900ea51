"""An argument may be given by position now.

Flags:
    An argument that stands behind `*` in base and before it in head.

Why it breaks:
    Calls of base name it, and saved programs of head do so too. An old release refuses a call in source code that
    gives it by position. PyTorch's predicate for old calls looks for an out argument among the keyword-only ones, and
    refuses a schema that has it elsewhere.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="'{name}' may be given by position now",
    witness="calls of '{op}' in head may give '{name}' by position, which base refuses",
    advice="nothing to do for existing programs",
    flagged=(("a::f(Tensor x, *, int n) -> Tensor", "a::f(Tensor x, int n) -> Tensor"),),
    passes=(("a::f(Tensor x, int n) -> Tensor", "a::f(Tensor x, *, int n) -> Tensor"),),
)
