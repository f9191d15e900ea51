"""A node of a saved model has no kernel in the release.

Flags:
    A node whose op the release knows, and runs neither by a kernel nor by a function body with the types that its
    tensors have.

Why it breaks:
    A session for the model is refused: could not find an implementation.

Instead:
    Convert the model to an opset or to types that the release runs, or ship a release that has the kernel.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the release has no kernel for '{op}' with {types}",
    witness="a session for a model with such a node is refused: could not find an implementation",
    advice="{remedy}",
    facts={
        "op": "Sin@7",
        "name": "Sin@7",
        "types": "T = tensor(int8)",
        "remedy": "use types that the release runs the op with, or a release that has the kernel",
    },
    flagged=(
        (
            "model.onnx:\n  input x: int8\n  output y: int8\n  Sin(x) -> (y)",
            (
                "InferenceSession: Sin@7(X: T) -> (Y: T) "
                '& {"kernels": {"CPUExecutionProvider": ["T=tensor(float)"]}, '
                '"type_constraints": {"T": ["tensor(int8)", "tensor(float)"]}}'
            ),
        ),
    ),
    passes=(
        (
            "model.onnx:\n  input x: float\n  output y: float\n  Sin(x) -> (y)",
            (
                "InferenceSession: Sin@7(X: T) -> (Y: T) "
                '& {"kernels": {"CPUExecutionProvider": ["T=tensor(float)"]}, '
                '"type_constraints": {"T": ["tensor(int8)", "tensor(float)"]}}'
            ),
        ),
    ),
)
