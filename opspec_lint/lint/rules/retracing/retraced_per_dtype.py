"""A trace for each dtype.

Flags:
    A function with two or more traces that differ only in the dtype of a tensor.

Why it breaks:
    Each dtype gets a trace of its own. That may be intended.

Instead:
    Name one dtype in input_signature, and cast in the caller.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="there is a trace for each of {count} dtypes of '{name}': {values}",
    witness="a call of '{op}' with another dtype of '{name}' is converted, or finds no trace after loading",
    advice="name one dtype of '{name}' in input_signature if the others are not intended",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[] | (int32[None]) -> int32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[] | (int32[]) -> int32[]",
        ),
    ),
)
