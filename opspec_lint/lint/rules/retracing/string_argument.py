"""An argument is a string.

Flags:
    A function that was traced with a Python string.

Why it breaks:
    TensorFlow 1.15 and 2.4 omit traces with a string among their arguments, even as a default value, without a
    message. 2.8 and later save them.

Instead:
    Save with 2.8 or later, or use a bool, an enum of numbers or two functions instead.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the argument '{name}' is a Python string: {values}",
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
