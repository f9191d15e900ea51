"""A checkpoint of a saved model is missing.

Flags:
    An index or a data file that is not where the model needs it.

Why it breaks:
    Variables cannot be restored.

Instead:
    Copy the whole folder of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the checkpoint file '{name}' {problem}",
    witness="no variable is restored",
    advice="copy the model with all of its files",
    facts={"name": "variables", "problem": "there is no checkpoint with that prefix"},
    flagged=(
        (
            "saved_model.pb: restore w: float",
            (
                "v1.saved_model.loader.load:\n"
                "  Const() -> (output: dtype) [value: tensor, dtype: type]\n"
                "  RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: "
                "dtypes) [dtypes: list(type) >= 1]"
            ),
        ),
    ),
    passes=(
        (
            "saved_model.pb: restore w: float\nvariables/variables.index: w: float[2]",
            (
                "v1.saved_model.loader.load:\n"
                "  Const() -> (output: dtype) [value: tensor, dtype: type]\n"
                "  RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: "
                "dtypes) [dtypes: list(type) >= 1]"
            ),
        ),
    ),
)
