"""A checkpoint lacks a variable of the model.

Flags:
    A key that the model restores, and that its checkpoint does not have.

Why it breaks:
    The loader refuses to leave a variable uninitialised.

Instead:
    Save the checkpoint from the same graph, or map the names when it is restored.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the key '{name}' {problem}",
    witness="the variable of '{name}' is not restored",
    advice="save the checkpoint with '{name}'",
    facts={"name": "w", "problem": "is not in the checkpoint"},
    flagged=(
        (
            "saved_model.pb: restore w: float\nvariables/variables.index: v: float[2]",
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
            "saved_model.pb: restore w: float\nvariables/variables.index:\n  v: float[2]\n  w: float[2]",
            (
                "v1.saved_model.loader.load:\n"
                "  Const() -> (output: dtype) [value: tensor, dtype: type]\n"
                "  RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: "
                "dtypes) [dtypes: list(type) >= 1]"
            ),
        ),
    ),
)
