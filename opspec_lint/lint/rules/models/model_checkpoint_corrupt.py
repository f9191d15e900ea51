"""A checkpoint of a saved model is damaged.

Flags:
    An index that cannot be read, a data file that is too short, or, with `--checksums`, bytes that are not those
    that were written.

Why it breaks:
    The loader checks what it reads, and refuses the checkpoint.

Instead:
    Copy the files again from where they came from.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the checkpoint is damaged: '{name}' {problem}",
    witness="variables are not restored",
    advice="copy the checkpoint again from its source",
    facts={"name": "variables.index", "problem": "is damaged: it has no table footer"},
    flagged=(
        (
            'saved_model.pb: restore w: float\nvariables/variables.index: "no table"',
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
