"""An output became intermediate.

Flags:
    An input or output that is marked intermediate in head and not in base.

Why it breaks:
    An intermediate output exists for the backward pass alone. Paddle's loaders take a model that reads it, as before;
    converters and passes that drop intermediate outputs at inference take the variable away from it.

Instead:
    Leave the output as it is, and add a separate intermediate output.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {kind} '{name}' became intermediate",
    witness=("an existing model may read '{name}' of '{op}', which a pass or a converter is free to drop at inference"),
    advice="keep '{name}' as it was",
    flagged=(("f(X) -> (Out, Mask)", "f(X) -> (Out, Mask~)"),),
    passes=(("f(X) -> (Out, Mask~)", "f(X) -> (Out, Mask~)"),),
)
