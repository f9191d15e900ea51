"""A version of an op that is in development was changed.

Flags:
    A version of an op above the last released opset, which differs between base and head. A source tree states the
    last release in onnx/defs/schema.h; the newer one of base and head decides.

Why it breaks:
    No released version of ONNX has this version of the op. Only models that were saved with a development build
    can use it.

Instead:
    Nothing to do. With the release, the version is frozen.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="'{op}' is in development, as opset {since} of {domain} is not released: {differences}",
    witness="a model that a development build saved with '{op}' may not load in head, or mean something else",
    advice="nothing to do: the version is frozen with the release of opset {since}",
    flagged=(
        (
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 5}}\nf@6(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 5}}\nf@6(X: T, Z: T) -> (Y: T)',
        ),
    ),
    passes=(
        (
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 6}}\nf@6(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 6}}\nf@6(X: T, Z: T) -> (Y: T)',
        ),
        (
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 5}}\nf@6(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}, "released": {"ai.onnx": 6}}\nf@6(X: T, Z: T) -> (Y: T)',
        ),
    ),
)
