"""A node of a saved model lacks an output.

Flags:
    A node without an output that is neither dispensable nor intermediate, or one that the op fails without.

Why it breaks:
    The loader looks up every output that the op writes, and stops at the first missing one. Some ops write an
    intermediate output without asking for it, and crash.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the node does not name the output '{name}' of '{op}'",
    witness="a node of '{op}' without '{name}' stops the model",
    advice="{remedy}",
    facts={
        "op": "dropout",
        "name": "Mask",
        "remedy": "export the model again with the release that will load it",
    },
    flagged=(("model.pdmodel: dropout(X) -> (Out)", "legacy_executor: dropout(X) -> (Out, Mask)"),),
    passes=(("model.pdmodel: dropout(X) -> (Out)", "legacy_executor: dropout(X) -> (Out, Mask?)"),),
)
