"""A loader sets a missing attr to a value that is not its default.

Flags:
    A node without an attr for which the loader has a fixed value that is not the default value of the declaration.

Why it breaks:
    The default value does what the op did before it had the attr; the value of the loader does something else.

Instead:
    Export the model again.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' of '{op}' is missing and becomes {value}, which is not its default value",
    witness="a node of '{op}' that was run with another '{name}' than {value} computes something else",
    advice="export the model again with the release that will load it",
    facts={"op": "f", "name": "wide", "value": "false"},
    flagged=(
        (
            "model.pdmodel: f(x) -> (out)",
            'pir_translation of 3.0.0: pd_op.f(x) -> (out) [wide: "pir::BoolAttribute" = true]',
        ),
    ),
    passes=(
        (
            "model.pdmodel: f(x) -> (out) [wide: BOOLEAN = false]",
            'pir_translation of 3.0.0: pd_op.f(x) -> (out) [wide: "pir::BoolAttribute" = true]',
        ),
    ),
)
