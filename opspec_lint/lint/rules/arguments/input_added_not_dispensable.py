"""A required input was added.

Flags:
    An input of head's op that base's op does not have, and that is not dispensable.

Why it breaks:
    An existing model feeds no such input, and the new framework refuses to run the op without it.

Instead:
    Mark the new input dispensable and let the op do without it as it did before; or make a new op.

Fix:
    In a source tree of Paddle, adds `.AsDispensable()` or an entry of `optional`. It is a guess: whether the op can do
    without it, its kernel decides.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the input '{name}' was added and is not dispensable",
    witness="an existing model has the op '{op}' without the input '{name}'; the new framework refuses to run it",
    advice="mark '{name}' dispensable, and behave as before if it is absent",
    flagged=(("f(X) -> (Out)", "f(X, New) -> (Out)"),),
    passes=(
        ("f(X) -> (Out)", "f(X, New?) -> (Out)"),
        ("f(X) -> (Out)", "f(X) -> (Out)"),
    ),
)
