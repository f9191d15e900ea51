"""ops.pbtxt or ops_history does not have the op as its source registers it.

Flags:
    An op that a source tree of TensorFlow registers otherwise than its own tensorflow/core/ops/ops.pbtxt or the last
    declaration in ops/compat/ops_history_v2 has it, or that only the source or only a file has.

Why it breaks:
    These files are what op_compatibility_test compares later changes with: a change that they miss is not seen by the
    next comparison.

Instead:
    Let TensorFlow write the files again:
    `bazel run //tensorflow/core/ops/compat:update_ops -- $PWD/tensorflow/core/ops`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="a list of the tree is older than the op: {reason}",
    witness="op_compatibility_test compares later changes of '{name}' with an outdated declaration",
    advice="run `bazel run //tensorflow/core/ops/compat:update_ops -- $PWD/tensorflow/core/ops`",
    flagged=(('ops.pbtxt: name: "h" type: DT_RESOURCE', 'ops.pbtxt: name: "g" type: DT_RESOURCE'),),
    passes=(('ops.pbtxt: name: "g" type: DT_RESOURCE', 'ops.pbtxt: name: "h" type: DT_RESOURCE'),),
    facts={"op": "Handle", "name": "Handle", "reason": "another declaration of it in ops.pbtxt"},
)
