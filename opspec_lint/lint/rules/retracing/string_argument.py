"""A string among the arguments.

Flags:
    A function that was traced with a string of Python.

Why it breaks:
    TensorFlow 1.15 and 2.4 save no trace with a string among its arguments, also as a default value, and do not say
    so. 2.8 and later keep it.

Instead:
    Save with 2.8 or later, or choose with a bool, an enum of numbers or two functions.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.1.0",
    message="the argument '{name}' is a string of Python: {values}",
    witness="saved again with TensorFlow 1.15 or 2.4, '{op}' loses every trace with a string for '{name}'",
    advice="save with TensorFlow 2.8 or later while '{name}' is a string",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x, m='sum'): (float32[None], 'sum') -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[]",
        ),
    ),
)
