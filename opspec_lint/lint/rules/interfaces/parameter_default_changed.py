"""A default value changed.

Flags:
    A parameter of a function, or an input of a signature, that has another default value in head. Only sessions and
    requests use the default value of a signature's input.

Why it breaks:
    A call that omits it gets another result: another trace of the function runs, or the graph of the signature computes
    with another value. A call of a function finds no trace at all if there is none for the new value.

Instead:
    Keep the default value; add a parameter for the new behaviour.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the default value of '{name}' changed from {old} to {new}",
    witness="a call of '{op}' that omits '{name}' gets {new}, and {then}; this breaks {who}",
    advice="keep the default value {old}",
    flagged=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
            "function f(x, n=2): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
        ),
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n=2): (float32[], 1) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[] = 2.0) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n=1): (float32[], 1) -> float32[] | (float32[], 2) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
)
