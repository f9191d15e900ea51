"""A function of a saved model calls itself.

Flags:
    A function of the model that a node of itself calls, or a node of a function that it calls.

Why it breaks:
    A loader puts the nodes of a function in the place of its call, which has no end here: it refuses the model, or
    crashes.

Instead:
    Write the repetition as a loop.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the function '{name}' calls itself: {problem}",
    witness="no call of '{name}' can be expanded",
    advice="write the repetition as a loop",
    facts={"name": "c.f", "problem": "'c.f' -> 'c.f'"},
    flagged=(("function f: node y calls f", "any release"),),
    passes=(("function f: node y calls g", "any release"),),
)
