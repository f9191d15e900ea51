"""A missing attr gets another default value than in the release that saved the model.

Flags:
    A node without an attr whose default was another in the release that saved the model, as its op list or
    `--saved-by` says.

Why it breaks:
    An attr that is left out stands for the default of the saver. The loader fills in its own, and the model
    computes something else.

Instead:
    Save the model with all attrs, or load it with a release of the same default.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the missing attr '{name}' of '{op}' stood for {saved}, and is filled with {filled}",
    witness="'{op}' computes with {filled} instead of {saved}",
    advice="save the model with '{name}' set, or bring back the default",
    facts={"op": "scale", "name": "axis", "saved": 0, "filled": -1},
    flagged=(
        (
            "model.pdmodel: scale(X) -> (Out)\nsaved by: scale(X) -> (Out) [axis: INT = 0]",
            "legacy_executor: scale(X) -> (Out) [axis: INT = -1]",
        ),
    ),
    passes=(
        (
            "model.pdmodel: scale(X) -> (Out) [axis: INT = 0]\nsaved by: scale(X) -> (Out) [axis: INT = 0]",
            "legacy_executor: scale(X) -> (Out) [axis: INT = -1]",
        ),
    ),
)
