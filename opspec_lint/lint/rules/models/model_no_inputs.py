"""The predictor makes no program without inputs.

Flags:
    A program of Paddle that fetches what no input goes into, so that all of it can be computed in advance.

Why it breaks:
    The passes of the predictor put a value in the place of the nodes, and the node that fetches it is refused.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the program has no node '{name}', so that all of it is computed in advance and nothing is left to fetch",
    witness="create_predictor raises an error at the node 'fetch'",
    advice="run the program with an executor, or give it an input",
    facts={"name": "feed"},
    flagged=(
        (
            "model.pdmodel:\n  fill_constant() -> (Out: a)\n  fetch(X: a) -> (Out: b)",
            "inference_predictor:\n  fill_constant() -> (Out)\n  fetch(X) -> (Out)",
        ),
    ),
    passes=(
        (
            "model.pdmodel:\n  feed(X: x) -> (Out: a)\n  fetch(X: a) -> (Out: b)",
            "inference_predictor:\n  feed(X) -> (Out)\n  fetch(X) -> (Out)",
        ),
        (
            "model.pdmodel:\n  fill_constant() -> (Out: a)\n  fetch(X: a) -> (Out: b)",
            "legacy_executor:\n  fill_constant() -> (Out)\n  fetch(X) -> (Out)",
        ),
    ),
)
