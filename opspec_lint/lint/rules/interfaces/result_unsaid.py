"""The type of a result is no longer known.

Flags:
    A result, or a part of one, whose type is known in base and unknown in head. It is an error where a model is
    compared with itself at its base (in a repository, by a hook, by the Action), and a warning between two models that
    were named by hand.

Why it breaks:
    The result may be another one, and neither this check nor the next one can detect it.

Instead:
    Export the model with results whose types are stored: tensors, and structures of tensors.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    level_at_base="error",
    directions=("backward",),
    message="the result '{name}' is {old} in base; its type in head is unknown",
    witness="a caller that reads '{name}' of '{op}' may get something else than {old}; this concerns {who}",
    advice="return {old} from '{op}', and export the model again",
    flagged=(
        (
            "function f(x): (int32[]) -> float32[]",
            "function f(x): (int32[]) -> ?",
        ),
    ),
    passes=(
        (
            "function f(x): (int32[]) -> ?",
            "function f(x): (int32[]) -> ?",
        ),
    ),
)
