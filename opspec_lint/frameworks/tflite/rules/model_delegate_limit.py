"""A delegate does not take an op of a saved model in its version.

Flags:
    An op of the model whose version is above the highest one that a delegate accepts, where `delegates` of the spec
    states that.

Why it breaks:
    The model loads. With the delegate, the node runs on the CPU, so the model is slower than expected.

Instead:
    Convert the model so that it needs a version which the delegate accepts, or ship a release whose delegate accepts
    it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the delegate {delegate} takes '{op}' up to version {limit}: version {given} runs on the CPU",
    witness="a model with version {given} of '{op}' loads, and its node runs on the CPU",
    advice="convert the model to version {limit} of '{op}' at most, or ship a release whose delegate accepts {given}",
    facts={"op": "FULLY_CONNECTED", "name": "FULLY_CONNECTED", "delegate": "gpu", "limit": 9, "given": 12},
    flagged=(
        (
            'model.tflite:\n  FULLY_CONNECTED() -> ()\n  versions {"FULLY_CONNECTED": 12}',
            (
                'tflite.Interpreter: FULLY_CONNECTED() -> () & {"min_version": 1, "max_version": 12, '
                '"delegates": {"gpu": 9}}'
            ),
        ),
    ),
    passes=(
        (
            'model.tflite:\n  FULLY_CONNECTED() -> ()\n  versions {"FULLY_CONNECTED": 9}',
            (
                'tflite.Interpreter: FULLY_CONNECTED() -> () & {"min_version": 1, "max_version": 12, '
                '"delegates": {"gpu": 9}}'
            ),
        ),
    ),
)
