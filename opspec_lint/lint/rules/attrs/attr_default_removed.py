"""An attr lost its default value.

Flags:
    An attr that has a default value in base and none in head.

Why it breaks:
    An existing model may leave the attr out, and the new framework has no value to put in its place.

Instead:
    Keep the default value; demand the attr where new models are made, in the Python interface.

Fix:
    In a source tree of TensorFlow, restores the string of `.Attr(...)`; in one of Paddle, `SetDefault` or the default
    value of the argument. It is a guess: the change may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the attr '{name}' lost its default value {old}",
    witness="a model saved without '{name}' relied on {old}; the new framework refuses to run its '{op}'",
    advice="keep the default value {old} in the op",
    flagged=(("f(X) -> (Out) [axis: INT = 3]", "f(X) -> (Out) [axis: INT]"),),
    passes=(("f(X) -> (Out) [axis: INT]", "f(X) -> (Out) [axis: INT = 3]"),),
)
