"""A custom op of a saved model is not registered by the release.

Flags:
    A custom op that a node of the model uses, and that the default resolver of the release does not register in that
    version. Some are ops of a delegate: `edgetpu-custom-op`, `ethos-u`, `DISPATCH_OP`, `MTKEXT_...`, `Flex...`.

Why it breaks:
    The interpreter is created, and `AllocateTensors` then ends with "Encountered unresolved custom op", unless the
    caller registers the op or applies the delegate.

Instead:
    Register the op, apply the delegate, or convert the model without the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="a plain interpreter refuses the custom op '{op}': {problem}",
    witness="allocating the tensors of the model ends with: Encountered unresolved custom op",
    advice="{remedy}",
    facts={
        "op": "CUSTOM:edgetpu-custom-op",
        "name": "CUSTOM:edgetpu-custom-op",
        "problem": "no resolver of the release registers it: it is an op of the Edge TPU delegate",
        "remedy": "load it with the Edge TPU delegate, or convert its source without 'edgetpu-custom-op'",
    },
    flagged=(
        (
            'model.tflite:\n  versions {}\n  "CUSTOM:edgetpu-custom-op"() -> ()',
            'tflite.Interpreter: "CUSTOM:Mfcc"() -> () & {"min_version": 1, "max_version": 1}',
        ),
    ),
    passes=(
        (
            'model.tflite:\n  versions {}\n  "CUSTOM:Mfcc"() -> ()',
            'tflite.Interpreter: "CUSTOM:Mfcc"() -> () & {"min_version": 1, "max_version": 1}',
        ),
    ),
)
