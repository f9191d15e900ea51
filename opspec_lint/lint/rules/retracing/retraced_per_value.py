"""A trace for each number of Python.

Flags:
    A function with two or more traces that differ in one number of Python alone.

Why it breaks:
    Each new number is a trace of its own: time and memory while the model is made, and after loading an error for
    each number that was not traced. A bool, a string or None chooses a structure and is no hazard.

Instead:
    Pass a tensor in place of the number: `tf.constant(1)`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=("backward",),
    since="0.1.0",
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
