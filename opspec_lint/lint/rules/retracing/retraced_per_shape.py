"""A trace for each size of a dimension.

Flags:
    A function with two or more traces that differ in one dimension of a tensor, or in its rank, alone, where none
    takes what all of them take.

Why it breaks:
    Each new size is a trace of its own, and after loading an error for each that was not traced.

Instead:
    Name the shapes with None for what varies in input_signature, or set reduce_retracing=True.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=("backward",),
    since="0.1.0",
    message="there is a trace for each of {count} shapes of '{name}': {values}",
    witness="a call of '{op}' with another shape of '{name}' finds no trace after loading",
    advice="set input_signature=[{spec}] for '{name}', or reduce_retracing=True",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[2]) -> float32[] | (float32[3]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[2, 3]) -> float32[] | (float32[3, 2]) -> float32[]",
        ),
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[2]) -> float32[] | (float32[None]) -> float32[]",
        ),
    ),
)
