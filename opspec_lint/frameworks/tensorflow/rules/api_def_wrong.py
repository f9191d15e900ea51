"""An api_def file does not fit the op that its source registers.

Flags:
    An op of TensorFlow's tree without a file in core/api_def/base_api; a file there or in python_api for an op that
    no source registers; an argument in it that the op does not have; a visibility that does not exist.

Why it breaks:
    api_test refuses the tree. The file decides whether the op is visible in Python, and how its arguments are named,
    so the generated function of the op lacks what the file says.

Instead:
    Change the file together with the op. `tensorflow/core/api_def/update_api_def.sh` writes a missing one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the api_def of '{name}' does not fit: {reason}",
    witness="api_test refuses the tree, and the Python function of '{name}' is not made as the file says",
    advice="{remedy}",
    flagged=(('api_def_Handle.pbtxt: out_arg { name: "h" }', 'api_def_Handle.pbtxt: out_arg { name: "g" }'),),
    passes=(('api_def_Handle.pbtxt: out_arg { name: "g" }', 'api_def_Handle.pbtxt: out_arg { name: "h" }'),),
    facts={
        "op": "Handle",
        "name": "Handle",
        "reason": "the op has no output 'g'",
        "remedy": "correct the api_def file, or delete it with the op",
    },
)
