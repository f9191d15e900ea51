"""A declaration is called in another way.

Flags:
    A signature, function, concrete function or graph that is another one of these in head.

Why it breaks:
    A signature is called by keyword, a function as Python calls it, and a graph is fed by name. A caller of base's way
    does not find what it calls.

Instead:
    Export it as before, and add the other one under a name of its own.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{name}' was called as a {old} and is called as a {new}",
    witness="a caller that calls '{op}' as a {old} does not find it; this breaks {who}",
    advice="export '{op}' as a {old}",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None]}',
            'graph s(x: float32[None, 4]) -> {"y": float32[None]}',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None]}',
            'signature s(x: float32[None, 4]) -> {"y": float32[None]}',
        ),
    ),
)
