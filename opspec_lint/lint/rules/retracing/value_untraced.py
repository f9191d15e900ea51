"""Combinations of values were not traced.

Flags:
    A function whose Python values were not traced in every combination, or a bool that was traced with only one
    value.

Why it breaks:
    Python values are part of a trace and have to be equal. A combination that was not traced is an error after
    loading.

Instead:
    Call the function with every combination that callers need before saving it, or pass tensors.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="{values} combinations of the values of '{name}' were traced",
    witness="a call of '{op}' with another combination of '{name}' finds no trace after loading",
    advice="call '{op}' with every combination of '{name}' that callers need before saving",
    flagged=(
        (
            "function f(x, t=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]",
            "function f(x, t=False): (float32[None], False) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x, t=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]",
        ),
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(x, t, u): (float32[], float32[], True) -> float32[] | (float32[], False, False) -> float32[]",
        ),
    ),
)
