"""A trace for each Python number.

Flags:
    A function with two or more traces that differ only in one Python number.

Why it breaks:
    Each new number gets a trace of its own, which costs time and memory when the model is built. After loading, a
    number that was not traced is an error. A bool, a string or None selects a structure and is not a hazard.

Instead:
    Pass a tensor in place of the number: `tf.constant(1)`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="there is a trace for each of {count} numbers of '{name}': {values}",
    witness="a call of '{op}' with another number for '{name}' finds no trace after loading",
    advice="pass a tensor in place of the number '{name}'",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x, n=1): (float32[None], 1) -> float32[] | (float32[None], 2) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x, t=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]",
        ),
    ),
)
