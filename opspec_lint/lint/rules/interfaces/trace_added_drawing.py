"""A new trace takes calls whose arguments base converts.

Flags:
    A trace of a function that differs from one of base in a dtype alone.

Why it breaks:
    A call whose argument base converts, such as a float64 array for a float32, runs the new trace, and its result
    has another dtype.

Instead:
    Convert in the caller, or restrict the function to one dtype with input_signature.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the new trace for '{name}' takes calls whose arguments base converts",
    witness=(
        "a NumPy array for '{op}' that base converted takes the trace {name} now, which gives {new}; this breaks {who}"
    ),
    advice="restrict the function with input_signature, or announce the new result",
    flagged=(
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[None, 3]) -> float32[] | (float64[None, 3]) -> float64[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None, 3]) -> float32[]",
            "function f(x): (float32[None, 3]) -> float32[] | (int32[]) -> float32[]",
        ),
    ),
)
