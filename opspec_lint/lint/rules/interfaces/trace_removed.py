"""A trace was removed.

Flags:
    A trace of a function for values of Python, or for arguments, for which head has no trace.

Why it breaks:
    A restored function never makes a new trace. A call with these arguments finds no trace that fits.

Instead:
    Call the function once with each combination of values before saving, or pass a tensor in place of the value.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the trace for '{name}' was removed",
    witness="a call of '{op}' with {name} finds no trace; this breaks {who}",
    advice="call the function with {name} before saving it, or take a tensor in place of the value",
    flagged=(
        (
            "function f(x, t=False): (float32[], False) -> float32[] | (float32[], True) -> float32[]",
            "function f(x, t=False): (float32[], False) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, t=False): (float32[], True) -> float32[]",
            "function f(x, t=False): (float32[], bool[]) -> float32[]",
        ),
    ),
)
