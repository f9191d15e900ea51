"""A default value was added.

Flags:
    A parameter of a function, or an input of a signature, that has a default value only in head.

Why it breaks:
    Calls of base pass it. A call that omits it needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{name}' now has the default value {new}",
    witness="a call of '{op}' that omits '{name}' needs the new model",
    advice="roll the model out before the callers that omit '{name}'",
    flagged=(
        (
            "function f(x, n): (float32[], 1) -> float32[]",
            "function f(x, n=1): (float32[], 1) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[]) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            "function f(x, n=1): (float32[], 1) -> float32[]",
            "function f(x, n): (float32[], 1) -> float32[]",
        ),
        (
            'signature s(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
            'signature s(x: float32[], n: float32[]) -> {"y": float32[]}',
        ),
    ),
)
