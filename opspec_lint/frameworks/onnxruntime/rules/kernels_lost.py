"""An op lost kernels.

Flags:
    An op that runs with some types, under a provider, in base, and does not in head.

Why it breaks:
    A session for a model with the op and these types fails: could not find an implementation.

Instead:
    Keep the kernel, or let the op have a function body that kernels run.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' no longer runs with {lost}",
    witness="an existing model with a node of '{op}' and such types is refused: could not find an implementation",
    advice="keep the kernels of '{op}' for these types",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(double)", "T=tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(float)"]}}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(double)", "T=tensor(float)"]}}',
        ),
    ),
)
