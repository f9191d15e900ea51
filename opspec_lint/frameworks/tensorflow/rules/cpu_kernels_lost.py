"""An op lost kernels for the CPU.

Flags:
    An op that ran on the CPU with some types in base, and does not in head. Only an installed TensorFlow states its
    kernels, so specs from other sources show no such change.

Why it breaks:
    Old graphs with these types load, and fail when they run: no OpKernel was registered.

Instead:
    Keep the registration of the kernel.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="it no longer runs on the CPU with {lost}",
    witness="an old graph with a node of '{op}' and such types fails when it runs: no OpKernel was registered",
    advice="keep the kernels of '{op}' for these types",
    flagged=(
        (
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["double", "float"]}}',
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["float"]}}',
        ),
    ),
    passes=(
        (
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["float"]}}',
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["double", "float"]}}',
        ),
    ),
)
