"""A missing attr gets another default value than in the release that saved the model.

Flags:
    A node without an attr whose default was another in the release that saved the model, as its op list or
    `--saved-by` says.

Why it breaks:
    The saver left the attr out because it had the saver's default value. The loader fills in its own default value, and
    the model computes something else.

Instead:
    Save the model with all attrs, or load it with a release that has the same default value.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' was saved without the attr '{name}', which meant {saved}, and the loader fills in {filled}",
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
