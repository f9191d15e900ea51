"""A function no longer says which arguments it takes.

Flags:
    A function whose source has an `input_signature` in base, and has none in head.

Why it breaks:
    Nothing breaks: what a restored function takes is what its traces take. But the next export may trace it for other
    arguments.

Instead:
    Keep the `input_signature`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the function '{name}' has no input_signature any more",
    witness="what '{op}' takes is what its traces take, which the next export may change",
    advice="keep the input_signature",
    flagged=(
        (
            "function f(x) restricted: (float32[2]) -> float32[]",
            "function f(x): (float32[2]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[2]) -> float32[]",
            "function f(x): (float32[2]) -> float32[]",
        ),
    ),
)
