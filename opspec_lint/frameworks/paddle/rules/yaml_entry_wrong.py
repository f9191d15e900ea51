"""An entry in Paddle's YAML names something that does not exist.

Flags:
    A part of an entry in Paddle's YAML files that is new in head and cannot be right: a key or an action that the op
    generator does not know, the name of an argument that the op does not have, an op that does not exist, a key that
    occurs twice, a second entry of an op in a file.

Why it breaks:
    The op generator ignores that part without a message, so that the op is not what the entry says; or the generator
    fails.

Instead:
    Correct the key, the name or the action, or delete it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the entry of '{op}' in {file} {problem}",
    witness="the op generator makes '{op}' as if this part of the entry were not there, or fails",
    advice="correct this part of the entry in {file}, or delete it",
    facts={
        "op": "f",
        "name": "optional.masks",
        "file": "paddle/phi/ops/yaml/ops.yaml",
        "problem": "names 'masks' under 'optional', which is not one of its inputs or outputs",
    },
    flagged=(
        (
            (
                "ops.yaml:\n"
                "  - op : f\n"
                "    args : (Tensor x, Tensor mask)\n"
                "    output : Tensor(out)\n"
                "    infer_meta : {func : F}\n"
                "    kernel : {func : f}"
            ),
            (
                "ops.yaml:\n"
                "  - op : f\n"
                "    args : (Tensor x, Tensor mask)\n"
                "    output : Tensor(out)\n"
                "    optional : masks\n"
                "    infer_meta : {func : F}\n"
                "    kernel : {func : f}"
            ),
        ),
    ),
    passes=(
        (
            (
                "ops.yaml:\n"
                "  - op : f\n"
                "    args : (Tensor x, Tensor mask)\n"
                "    output : Tensor(out)\n"
                "    infer_meta : {func : F}\n"
                "    kernel : {func : f}"
            ),
            (
                "ops.yaml:\n"
                "  - op : f\n"
                "    args : (Tensor x, Tensor mask)\n"
                "    output : Tensor(out)\n"
                "    optional : mask\n"
                "    infer_meta : {func : F}\n"
                "    kernel : {func : f}"
            ),
        ),
    ),
)
