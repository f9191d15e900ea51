"""A signature, function or graph became another kind of callable.

Flags:
    A name that is a signature, a function, a concrete function or a graph in base, and another of these in head.

Why it breaks:
    A signature is called by keyword, a function as Python calls it, and a graph is fed by name. A caller that uses the
    way of base does not find the name.

Instead:
    Export it as before, and export the new kind under another name.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{name}' was called as a {old} and is called as a {new}",
    witness="a caller that calls '{op}' as a {old} does not find it; this breaks {who}",
    advice="export '{op}' as a {old}, and the {new} under another name",
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
