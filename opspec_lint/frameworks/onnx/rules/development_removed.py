"""A version of an op that is in development was removed.

Flags:
    A version of an op above the last released opset, which base has and head lacks. A source tree states the last
    release in onnx/defs/schema.h; the newer one of base and head decides.

Why it breaks:
    No released version of ONNX has this version of the op. Only models that were saved with a development build
    can use it.

Instead:
    Nothing to do. A version that is part of a release can no longer be removed.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="'{op}' was removed while opset {since} of {domain} is in development",
    witness="a model that a development build saved with '{op}' does not load in head",
    advice="nothing to do: no release has '{op}'",
    flagged=(
        (
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 5}}\nf@5(X: T) -> (Y: T)\nf@6(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 5}}\nf@5(X: T) -> (Y: T)',
        ),
    ),
    passes=(
        (
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 6}}\nf@5(X: T) -> (Y: T)\nf@6(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 6}}\nf@5(X: T) -> (Y: T)',
        ),
    ),
)
