"""A function no longer states which arguments it takes.

Flags:
    A function whose source has an `input_signature` in base, and has none in head.

Why it breaks:
    Nothing breaks: a restored function takes the arguments of its traces. But the next export may trace it for other
    arguments.

Instead:
    Keep the `input_signature`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the function '{name}' no longer has an input_signature",
    witness="'{op}' takes the arguments of its traces as before; the next export may trace it for others",
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
