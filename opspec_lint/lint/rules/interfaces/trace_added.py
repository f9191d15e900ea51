"""A trace is new.

Flags:
    A trace of a function for arguments for which base has no trace.

Why it breaks:
    Calls of base still find their traces. A call of the new trace needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the trace for '{name}' is new",
    witness="a call of '{op}' with {name} needs the new model",
    advice="roll the model out before the callers that need it",
    flagged=(
        (
            "function f(x, t=False): (float32[], False) -> float32[]",
            "function f(x, t=False): (float32[], False) -> float32[] | (float32[], True) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, t=False): (float32[], False) -> float32[] | (float32[], True) -> float32[]",
            "function f(x, t=False): (float32[], False) -> float32[]",
        ),
    ),
)
