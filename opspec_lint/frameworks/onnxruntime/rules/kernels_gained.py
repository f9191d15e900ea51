"""An op got kernels.

Flags:
    An op that runs with some types, under a provider, in head, and does not in base.

Why it breaks:
    No existing model breaks. A model of head with these types is refused by the older runtime.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{op}' now also runs with {gained}",
    witness="a new model with a node of '{op}' and such types is refused by the older runtime",
    advice="nothing to do for existing models",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(double)", "T=tensor(float)"]}}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(double)", "T=tensor(float)"]}}',
            'f@1(X: T) -> (Y: T) & {"kernels": {"CPUExecutionProvider": ["T=tensor(double)", "T=tensor(float)"]}}',
        ),
    ),
)
