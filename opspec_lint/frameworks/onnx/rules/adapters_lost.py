"""A version of an op lost an adapter of the version converter.

Flags:
    A version that the version converter converts from or to the version before it in base, and not in head. Only
    source trees say which adapters there are.

Why it breaks:
    `onnx.version_converter` refuses to convert a model with the op across the version.

Instead:
    Keep the adapter.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the version converter lost adapters: {new} instead of {old}",
    witness="onnx.version_converter refuses models with '{op}' that it converted",
    advice="keep the adapters of '{op}'",
    flagged=(('f@1(X: T) -> (Y: T) & {"adapters": ["up"]}', 'f@1(X: T) -> (Y: T) & {"adapters": []}'),),
    passes=(('f@1(X: T) -> (Y: T) & {"adapters": []}', 'f@1(X: T) -> (Y: T) & {"adapters": ["up"]}'),),
)
