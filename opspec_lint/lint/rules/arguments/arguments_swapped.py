"""Inputs of equal types changed places.

Flags:
    Inputs that both sides have and that are in another order, where they are bound by position and the types are in
    the order of before.

Why it breaks:
    The framework's own check passes, as it looks at types alone. A saved graph passes its tensors in the old order,
    and each is taken for the other.

Instead:
    Keep the order. If only the names were wrong, say so in the review: to a graph that is a renaming.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward", "forward"),
    message=(
        "the {kind}s changed places from {old} to {new}, though their types did not; the framework's own "
        "check does not notice"
    ),
    witness=(
        "an existing graph passes the {kind}s of '{op}' in the old order, and computes a different result "
        "without an error"
    ),
    advice="keep the order {old}",
    flagged=(("f(x: T, y: T) -> (z: T)", "f(y: T, x: T) -> (z: T)"),),
    passes=(
        ("f(x: T, y: T) -> (z: T)", "f(x: T, w: T) -> (z: T)"),
        ("f(x: T, y: S) -> (z: T)", "f(y: S, x: T) -> (z: T)"),
    ),
)
