"""An entry in Paddle's YAML names something that does not exist.

Flags:
    What is new in head in an entry of Paddle's YAML files and cannot be meant: a key or an action that the op generator
    does not know, the name of an argument that the op does not have, an op that does not exist, a key that occurs
    twice, a second entry of an op in a file.

Why it breaks:
    The op generator passes over it without a message, and the op is not what the entry says; or the generator fails.

Instead:
    Correct the key, the name or the action, or delete it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the entry of '{op}' in {file} {problem}",
    witness="the build makes the op '{op}' without it, or fails",
    advice="correct it, or delete it",
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
