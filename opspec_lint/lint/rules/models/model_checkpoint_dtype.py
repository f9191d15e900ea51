"""A variable has another type in its checkpoint.

Flags:
    A key whose type in the checkpoint is not that of the variable.

Why it breaks:
    The loader converts no values, and refuses the checkpoint.

Instead:
    Save the checkpoint from the same graph.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the type of '{name}' differs: it {problem}",
    witness="the variable of '{name}' is not restored",
    advice="save the checkpoint with the type of the graph",
    facts={"name": "w", "problem": "is of type int32 in the checkpoint, and float in the graph"},
    flagged=(
        (
            "saved_model.pb: restore w: float\nvariables/variables.index: w: int32[2]",
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
