"""An attr became one that the framework generates.

Flags:
    An attr that is marked generated in head and not in base.

Why it breaks:
    The interface of the framework fills generated attrs in by itself, and users can no longer set them. Paddle's
    loaders do not look at the flag: what a saved model says of the attr counts, as before.

Instead:
    Leave the attr as it is, and add a separate generated one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' became generated",
    witness="an interface that set '{name}' of '{op}' no longer can; loaders do not look at the flag",
    advice="keep '{name}' as it was, and add a separate generated attr",
    flagged=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {generated}]"),),
    passes=(("f(X) -> (Out) [a: INT = 0 {generated}]", "f(X) -> (Out) [a: INT = 0 {generated}]"),),
)
