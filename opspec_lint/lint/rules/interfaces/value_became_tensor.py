"""A Python value became a tensor.

Flags:
    A parameter of a function that was traced with Python values and takes a tensor in head.

Why it breaks:
    Python values are converted. Values for which base has no trace need head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{name}' takes {new} in place of the value {old}",
    witness="a call of '{op}' with another value of '{name}' than {old} needs the new model",
    advice="roll the model out before the callers that give '{name}' other values",
    flagged=(
        (
            "function f(x, t=False): (float32[], False) -> float32[]",
            "function f(x, t=False): (float32[], bool[]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, t=False): (float32[], bool[]) -> float32[]",
            "function f(x, t=False): (float32[], False) -> float32[]",
        ),
    ),
)
