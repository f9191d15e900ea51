"""An attr became one that the framework generates.

Flags:
    An attr that is marked generated in head and not in base.

Why it breaks:
    The framework fills generated attrs in by itself. What a saved model says of it no longer counts.

Instead:
    Leave the attr as it is, and add a separate generated one.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the attr '{name}' became generated",
    witness="a model saved before sets '{name}' of '{op}'; the new framework puts its own value there",
    advice="keep '{name}' as it was, and add a separate generated attr",
    flagged=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {generated}]"),),
    passes=(("f(X) -> (Out) [a: INT = 0 {generated}]", "f(X) -> (Out) [a: INT = 0 {generated}]"),),
)
