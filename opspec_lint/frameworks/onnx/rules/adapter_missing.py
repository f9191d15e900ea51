"""The version converter does not convert a new version of an op.

Flags:
    A version of an op that only head has, and that succeeds another one, without an adapter of the version converter
    from or to the version before it. Only a source tree says which adapters there are.

Why it breaks:
    No existing model breaks. `onnx.version_converter` refuses to convert a model with the op across the version
    (onnx/onnx, docs/AddNewOp.md, asks for an adapter both ways).

Instead:
    Register an adapter both ways in onnx/version_converter/convert.h: a `CompatibleAdapter` if the versions mean the
    same.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the version converter has no adapter {ways}",
    witness="onnx.version_converter refuses to convert a model with '{op}' or '{predecessor}' across the version",
    advice="register an adapter both ways in onnx/version_converter/convert.h",
    flagged=(
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T) -> (Y: T) & {"adapters": ["up"]}',
        ),
    ),
    passes=(
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            (
                'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\n'
                'f@6(X: T) -> (Y: T) & {"adapters": ["up", "down"]}'
            ),
        ),
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T) -> (Y: T)',
        ),
    ),
)
