"""A version of an op is new.

Flags:
    A version of an op that only head has, with an opset that base does not have. The finding says what it changes
    since the version before it.

Why it breaks:
    No existing model breaks: a model means the versions of the opset that it imports. A model that imports the
    new opset does not load in an older release or runtime.

Instead:
    Nothing to do for existing models. Export with an older opset where that matters.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{op}' is new in opset {since} of {domain}: {differences}",
    witness="a model that imports opset {since} of {domain} and means '{op}' does not load in an older release",
    advice="nothing to do for existing models",
    flagged=(
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T, Z: T) -> (Y: T)',
        ),
    ),
    passes=(
        (
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T, Z: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T, Z: T) -> (Y: T)',
        ),
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)\nf@5(X: T, Z: T) -> (Y: T)',
        ),
    ),
)
