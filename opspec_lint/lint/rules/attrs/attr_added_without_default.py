"""An attr was added that has no default value.

Flags:
    An attr of head's op that base's op does not have, and that sets no default value.

Why it breaks:
    An existing model does not set it, and the new framework has no value to put in its place.

Instead:
    Set a default value that does what the op did before; or make a new op.

Fix:
    In a source tree of TensorFlow or Paddle, adds the zero of the type, or the first choice. It is a guess: only the
    op's author knows what the op did before.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the attr '{name}' was added without a default value",
    witness="an existing model has the op '{op}' and does not set '{name}'; the new framework refuses to run it",
    advice="set a default value for '{name}' that does what '{op}' did before",
    flagged=(("f(X) -> (Out)", "f(X) -> (Out) [axis: INT]"),),
    passes=(("f(X) -> (Out)", "f(X) -> (Out) [axis: INT = -1]"),),
)
