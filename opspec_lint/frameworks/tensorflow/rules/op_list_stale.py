"""ops.pbtxt does not have the op as its source registers it.

Flags:
    An op that a source tree of TensorFlow registers otherwise than its own tensorflow/core/ops/ops.pbtxt lists it, or
    that only one of the two has.

Why it breaks:
    The file and ops_history_v2 are what op_compatibility_test compares later changes with: a change that they miss
    is not seen by the next comparison.

Instead:
    Let TensorFlow write the file again:
    `bazel run //tensorflow/core/ops/compat:update_ops -- $PWD/tensorflow/core/ops`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="ops.pbtxt is older than the op: {reason}",
    witness="op_compatibility_test compares later changes of '{name}' with an outdated declaration",
    advice="run `bazel run //tensorflow/core/ops/compat:update_ops -- $PWD/tensorflow/core/ops`",
    flagged=(('ops.pbtxt: name: "h" type: DT_RESOURCE', 'ops.pbtxt: name: "g" type: DT_RESOURCE'),),
    passes=(('ops.pbtxt: name: "g" type: DT_RESOURCE', 'ops.pbtxt: name: "h" type: DT_RESOURCE'),),
    facts={"op": "Handle", "name": "Handle", "reason": "the file has another declaration of it"},
)
