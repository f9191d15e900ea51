"""A version of an op got an adapter of the version converter.

Flags:
    A version that the version converter converts from or to the version before it in head, and not in base. Only
    source trees say which adapters there are.

Why it breaks:
    No model breaks: the version converter converts more models than before.

Instead:
    Nothing to do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the version converter has more adapters: {new} instead of {old}",
    witness="onnx.version_converter converts models with '{op}' that it refused",
    advice="nothing to do for existing models",
    flagged=(('f@1(X: T) -> (Y: T) & {"adapters": []}', 'f@1(X: T) -> (Y: T) & {"adapters": ["up"]}'),),
    passes=(('f@1(X: T) -> (Y: T) & {"adapters": ["up"]}', 'f@1(X: T) -> (Y: T) & {"adapters": []}'),),
)
