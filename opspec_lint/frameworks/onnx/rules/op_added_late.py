"""A version of an op was added to a published opset.

Flags:
    A version of an op that only head has, with an opset that base has published. A source tree states the last
    release of each domain in onnx/defs/schema.h; otherwise, base has published the opset that it states, and the
    highest version of any of its ops.

Why it breaks:
    Models that import the opset exist. A node of the op means another version in them than it does now, or an op
    that did not exist, and neither a runtime nor an older release can tell.

Instead:
    Give the new version the next opset that is not published.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message=(
        "'{op}' was added to opset {since} of {domain}, but base has published the opsets up to {published}: "
        "{differences}"
    ),
    witness="a model that imports opset {since} of {domain} means '{op}' in head, and another '{name}' or none in base",
    advice="give the new version of '{name}' an opset above {published}",
    flagged=(
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)\nf@5(X: T, Z: T) -> (Y: T)',
        ),
    ),
    passes=(
        (
            'loading {"opsets": {"ai.onnx": 5}}\nf@1(X: T) -> (Y: T)',
            'loading {"opsets": {"ai.onnx": 6}}\nf@1(X: T) -> (Y: T)\nf@6(X: T, Z: T) -> (Y: T)',
        ),
    ),
)
