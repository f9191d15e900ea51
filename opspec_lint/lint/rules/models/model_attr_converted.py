"""A loader converts an attr to another value.

Flags:
    A node that sets an attr to a value that the loader converts to the declared type, with loss.

Why it breaks:
    The model loads, and computes with another value, without a message.

Instead:
    Export the model again with the declared type.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the value {given} of the attr '{name}' of '{op}' becomes {made} as {declared}",
    witness="'{op}' computes with {made} instead of {given}",
    advice="export the model again with the release that will load it",
    facts={"op": "scale", "name": "axis", "given": "0.3", "made": 0, "declared": "LONG"},
    flagged=(
        ("model.pdmodel: scale(X) -> (Out) [axis: FLOAT = 0.3]", "legacy_executor: scale(X) -> (Out) [axis: LONG]"),
    ),
    passes=(
        ("model.pdmodel: scale(X) -> (Out) [axis: FLOAT = 2.0]", "legacy_executor: scale(X) -> (Out) [axis: LONG]"),
    ),
)
