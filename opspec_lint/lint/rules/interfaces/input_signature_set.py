"""A function says which arguments it takes.

Flags:
    A function whose source has an `input_signature` in head, and has none in base.

Why it breaks:
    Nothing breaks: what a restored function takes is what its traces take.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the function '{name}' has an input_signature now",
    witness="what '{op}' takes is what its traces take, as before",
    advice="nothing to do",
    flagged=(
        (
            "function f(x): (float32[2]) -> float32[]",
            "function f(x) restricted: (float32[2]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x) restricted: (float32[2]) -> float32[]",
            "function f(x) restricted: (float32[2]) -> float32[]",
        ),
    ),
)
