"""A custom op of a saved model is registered by some resolvers of the release only.

Flags:
    A custom op that the default resolver of the release registers and another one does not, or an op of TensorFlow that
    the Flex delegate runs.

Why it breaks:
    The default interpreter loads the model. One with another resolver, or a smaller package, refuses it.

Instead:
    Use the default resolver of a package that has the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="not every interpreter of the release has the custom op '{op}': {problem}",
    witness="an interpreter without the op refuses the model",
    advice="create the interpreter with a resolver and a package that have the op",
    facts={
        "op": "CUSTOM:aeq.hadamard_rotation",
        "name": "CUSTOM:aeq.hadamard_rotation",
        "problem": "BuiltinOpResolver registers it, and BuiltinRefOpResolver does not",
    },
    flagged=(
        (
            'model.tflite:\n  versions {}\n  "CUSTOM:aeq.hadamard_rotation"() -> ()',
            (
                'tflite.Interpreter: "CUSTOM:aeq.hadamard_rotation"() -> () & {"min_version": 1, "max_version": 1, '
                '"reference_min_version": null, "reference_max_version": null}'
            ),
        ),
    ),
    passes=(
        (
            'model.tflite:\n  versions {}\n  "CUSTOM:aeq.hadamard_rotation"() -> ()',
            (
                'tflite.Interpreter: "CUSTOM:aeq.hadamard_rotation"() -> () & {"min_version": 1, "max_version": 1, '
                '"reference_min_version": 1, "reference_max_version": 1}'
            ),
        ),
    ),
)
