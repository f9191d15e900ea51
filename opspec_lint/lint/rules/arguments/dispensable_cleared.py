"""An input or output is no longer dispensable.

Flags:
    An input or output that is dispensable in base and not in head.

Why it breaks:
    An existing model may omit it, and the new framework refuses to run the op without it.

Instead:
    Keep it dispensable, and behave as before when it is absent.

Fix:
    In a source tree of Paddle, adds `.AsDispensable()` or an entry of `optional`. It is a guess: whether the op can do
    without it, its kernel decides.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the {kind} '{name}' is no longer dispensable",
    witness=(
        "an existing model may have the op '{op}' without the {kind} '{name}'; the new framework refuses to run it"
    ),
    advice="keep '{name}' dispensable",
    flagged=(
        ("f(X, Y?) -> (Out)", "f(X, Y) -> (Out)"),
        ("f(X) -> (Out, Z?)", "f(X) -> (Out, Z)"),
    ),
    passes=(("f(X, Y) -> (Out)", "f(X, Y?) -> (Out)"),),
)
