"""The method of a signature changed.

Flags:
    A signature that has another method name in head.

Why it breaks:
    The method name determines which API of a server the signature serves: predict, classify, regress.

Instead:
    Export the signature with its old method name, and add one for the new API.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the method of '{name}' changed from {old} to {new}",
    witness="a request to '{op}' by the API of {old} is refused; this breaks {who}",
    advice="keep the method {old}",
    flagged=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} method "tensorflow/serving/predict"',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} method "tensorflow/serving/classify"',
        ),
    ),
    passes=(
        (
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} method "a"',
            'signature s(x: float32[None, 4]) -> {"y": float32[None, 1]} method "a"',
        ),
    ),
)
