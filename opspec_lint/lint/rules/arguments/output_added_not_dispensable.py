"""A required output was added.

Flags:
    An output of head's op that base's op does not have, and that is not dispensable.

Why it breaks:
    An existing model names no variable for the new output, and the new framework has nowhere to write it.

Instead:
    Mark the new output dispensable and let the op do without it as it did before; or make a new op.

Fix:
    In a source tree of Paddle, adds `.AsDispensable()` or an entry of `optional`. It is a guess: whether the op can do
    without it, its kernel decides.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the output '{name}' was added and is not dispensable",
    witness="an existing model has the op '{op}' without the output '{name}'; the new framework refuses to run it",
    advice="mark '{name}' dispensable, and behave as before if it is absent",
    flagged=(("f(X) -> (Out)", "f(X) -> (Out, New)"),),
    passes=(
        ("f(X) -> (Out)", "f(X) -> (Out, New?)"),
        ("f(X) -> (Out)", "f(X) -> (Out)"),
    ),
)
