"""A program has a type that the release cannot parse.

Flags:
    A variable or an attr of a type whose number the protocol of the release does not have.

Why it breaks:
    The type is a required field: with a type that it does not know, the release refuses the whole file.

Instead:
    Export the model again with an older release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{problem}, which the protocol of the release does not have",
    witness="the release cannot parse the file",
    advice="export the model again with an older release, which has no such type",
    facts={"name": "x", "problem": "the variable 'x' has the type 24"},
    flagged=(
        (
            "model.pdmodel:\n  variable x: complex128[2, 3]\n  abs(X: x) -> (Out)",
            "legacy_executor of 1.8.5: abs(X) -> (Out) [a: BOOLEAN = false]",
        ),
    ),
    passes=(
        (
            "model.pdmodel:\n  variable x: float32[2, 3]\n  abs(X: x) -> (Out)",
            "legacy_executor of 1.8.5: abs(X) -> (Out) [a: BOOLEAN = false]",
        ),
    ),
)
