"""A trace for each size of a dimension.

Flags:
    A function with two or more traces that differ only in one dimension of a tensor, or only in its rank, where no
    trace accepts the tensors of all of them.

Why it breaks:
    Each new size gets a trace of its own. After loading, a size that was not traced is an error.

Instead:
    Name the shapes in input_signature, with None for dimensions that vary, or set reduce_retracing=True.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
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
