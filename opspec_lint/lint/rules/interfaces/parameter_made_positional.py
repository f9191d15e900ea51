"""A keyword-only parameter may be passed by position.

Flags:
    A parameter of a function that had to be named and may be passed by position in head.

Why it breaks:
    Calls of base name it. A call that passes it by position needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the parameter '{name}' may be passed by position",
    witness="a call of '{op}' that passes '{name}' by position needs the new model",
    advice="roll the model out before the callers that pass '{name}' by position",
    flagged=(
        (
            "function f(x, *, n): (float32[], n=int32[]) -> float32[]",
            "function f(x, n): (float32[], int32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x, n): (float32[], int32[]) -> float32[]",
            "function f(x, *, n): (float32[], n=int32[]) -> float32[]",
        ),
    ),
)
