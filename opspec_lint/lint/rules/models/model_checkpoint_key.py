"""A checkpoint lacks a variable of the model.

Flags:
    A key that the model restores, and that its checkpoint does not have.

Why it breaks:
    The loader refuses to leave a variable uninitialised.

Instead:
    Save the checkpoint from the same graph, or map the names when it is restored.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the key '{name}' {problem}",
    witness="the variable of '{name}' is not restored",
    advice="save the checkpoint with '{name}'",
    facts={"name": "w", "problem": "is not in the checkpoint"},
    flagged=(("a checkpoint of v", "the graph restores w"),),
    passes=(("a checkpoint of v and w", "the graph restores w"),),
)
