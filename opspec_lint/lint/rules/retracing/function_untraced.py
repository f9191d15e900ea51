"""A function has no trace.

Flags:
    A function of the model that was never called before it was saved, or was called with arguments that cannot be
    saved.

Why it breaks:
    A restored function never makes a trace: each call of it is an error.

Instead:
    Call it once before saving, name its arguments in input_signature, or leave it out of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the function '{name}' has no trace",
    witness=(
        "every call of '{op}' fails after loading, as it has no trace: it was never called before saving, or only with "
        "an object{may_be} as an argument"
    ),
    advice="call '{op}' before saving the model, or set input_signature",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x)",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[]",
        ),
    ),
)
