"""A release has no kernel that runs a node of a model on the CPU.

Flags:
    A node whose op the release knows, and for whose types it has no kernel for the CPU. Not judged are nodes on a
    GPU or TPU, those that XLA compiles, functions with a twin for another device, gradients, and releases whose spec
    states no kernels.

Why it breaks:
    The model loads. It fails when the node runs: no OpKernel was registered to support the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the release has no kernel that runs '{op}' on the CPU with {types}",
    witness="the model loads, and fails when the node runs: no OpKernel was registered to support '{op}'",
    advice="run the model with a release that has the kernel, or export it without the op",
    facts={"op": "Const", "name": "Const", "types": "dtype = int32"},
    flagged=(
        (
            'graph.pb: Const() -> (c) [dtype: type = "int32", value: tensor = "int32"]',
            (
                "import_graph_def: Const() -> (output: dtype) [value: tensor, dtype: type] "
                '& {"cpu_kernels": {"dtype": ["float"]}}'
            ),
        ),
    ),
    passes=(
        (
            'graph.pb: Const() -> (c) [dtype: type = "float", value: tensor = "float"]',
            (
                "import_graph_def: Const() -> (output: dtype) [value: tensor, dtype: type] "
                '& {"cpu_kernels": {"dtype": ["float"]}}'
            ),
        ),
    ),
)
