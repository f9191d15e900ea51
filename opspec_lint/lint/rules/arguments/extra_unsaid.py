"""Head requires an argument that was extra.

Flags:
    An input or output that is not dispensable, or an attr without a default value, that is extra in base, where head
    does not state whether it is. Only profiles for breaks of saved models enable it; for all others it is part of
    `knowledge_lost`.

Why it breaks:
    Extra arguments are cut when a model is exported. A framework without extra arguments requires every argument that
    is not dispensable, and refuses a model without it.

Instead:
    Export for that framework without cutting extra arguments; or save the model with a release of it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="off",
    directions=("backward",),
    message="the {kind} '{name}' was extra, and head requires it according to its spec",
    witness="an existing model has no '{name}' for '{op}', and is refused",
    advice="export the model without cutting extra arguments, or give head's spec its extra flags",
    flagged=(("f(X) -> (Out, XShape {extra})", "f(X) -> (Out, XShape {extra?})"),),
    passes=(
        ("f(X) -> (Out, XShape? {extra})", "f(X) -> (Out, XShape? {extra?})"),
        ("f(X) -> (Out, XShape)", "f(X) -> (Out, XShape {extra?})"),
    ),
)
