"""An optional parameter was added.

Flags:
    A parameter of a function, or an input of a graph, with a default value, `*args` or `**kwargs`, that only head has.

Why it breaks:
    A call of base leaves it out. A call that gives it needs head.

Instead:
    Nothing to do for callers of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the optional parameter '{name}' was added",
    witness="a call of '{op}' that gives '{name}' needs the new model",
    advice="roll the model out before the callers that give '{name}'",
    flagged=(
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(x, z=1): (float32[], 1) -> float32[]",
        ),
        (
            'graph g(x: float32[]) -> {"y": float32[]}',
            'graph g(x: float32[], n: float32[] = 1.0) -> {"y": float32[]}',
        ),
    ),
    passes=(
        (
            "function f(x): (float32[]) -> float32[]",
            "function f(x, z): (float32[], int32[]) -> float32[]",
        ),
    ),
)
