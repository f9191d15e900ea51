"""A function has more or fewer traces.

Flags:
    A function that has another number of traces in head.

Why it breaks:
    Each trace costs time when the model is made and memory when it is loaded.

Instead:
    Check how the traces differ: in Python numbers, shapes or dtypes.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the number of traces of '{name}' changed from {old} to {new}",
    witness="'{op}' has {new} traces in place of {old}",
    advice="check how the traces of '{op}' differ",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[] | (int32[]) -> int32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[]) -> float32[]",
        ),
    ),
)
