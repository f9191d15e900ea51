"""A function states which arguments it takes.

Flags:
    A function whose source has an `input_signature` in head, and has none in base.

Why it breaks:
    Nothing breaks: a restored function takes the arguments of its traces.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the function '{name}' now has an input_signature",
    witness="'{op}' takes the arguments of its traces, as before",
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
