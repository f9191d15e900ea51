"""An input was removed, and no patch removes it from existing programs.

Flags:
    An input that only base has, where no patch of the next version deletes it.

Why it breaks:
    Inputs are bound by position: the program loads, and is refused when it first runs, as the loader looks at all
    inputs to choose a kernel. Where the op's entry alone determines the kernel (`kernel: {data_type: x, backend: x}`,
    or the data type of an op without tensors), the loader looks at none of them, and reads a name behind the end of its
    list: 17 such ops of 3.3.1 happened to run with an input too many, and `pd_op.data` ended the process. If the input
    was not the last one, the others are bound to the wrong arguments.

Instead:
    Set `DEVELOP_VERSION` to 0 and add an entry to patch/0.yaml, such as `- {op_name: pd_op.f, actions: [{action:
    delete_input, object: 1}]}`.

Fix:
    Adds the entry to the file of patches. If the loader would not apply the file, sets `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
    message="existing programs give the input '{name}', which the op no longer takes",
    witness="a saved program with '{op}' stops when it first runs, or binds its inputs to the wrong arguments",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            "pd_op.f(x) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x, y) -> (out)",
            'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "delete_input", "target": 1}]}',
        ),
    ),
)
