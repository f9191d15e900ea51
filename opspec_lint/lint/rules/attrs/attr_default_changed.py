"""The default value of an attr changed.

Flags:
    An attr that has a default value on both sides, and not the same one.

Why it breaks:
    A model may not set the attr: it is older than the attr, or attrs at their default values were left out of it. It
    still loads, and computes something else.

Instead:
    Keep the default value, and change it where new models are made: in the Python interface. Or add a new attr.

Fix:
    In a source tree of Paddle, restores the value in `SetDefault(...)` or in `args`, in one of TensorFlow the string of
    `.Attr(...)`. It is a guess: the new value may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the default value of the attr '{name}' changed from {old} to {new}",
    witness="a model saved without '{name}' computed '{op}' with {old} and now uses {new}, without an error",
    advice="keep the default value {old} in the op, and pass {new} from the interface above it",
    flagged=(
        ("trace(X) -> (Out) [axis: INT = -2]", "trace(X) -> (Out) [axis: INT = 0]"),
        ("f(X) -> (Out) [a: INT = 1]", "f(X) -> (Out) [a: INT = 1.0]"),
    ),
    passes=(
        ("f(X) -> (Out) [axis: INT]", "f(X) -> (Out) [axis: INT = 0]"),
        ("f(X) -> (Out) [a: FLOAT = NaN]", "f(X) -> (Out) [a: FLOAT = NaN]"),
    ),
)
