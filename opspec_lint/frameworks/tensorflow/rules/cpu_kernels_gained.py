"""An op got kernels for the CPU.

Flags:
    An op that runs on the CPU with some types in head, and does not in base.

Why it breaks:
    No old graph breaks. A new graph with these types fails when the older release runs it on the CPU.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="it runs on the CPU with {gained} now",
    witness="a new graph with a node of '{op}' and such types fails when the older release runs it",
    advice="nothing to do for old graphs",
    flagged=(
        (
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["float"]}}',
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["double", "float"]}}',
        ),
    ),
    passes=(
        (
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["float"]}}',
            'f(x: T) -> (y: T) [T: type] & {"cpu_kernels": {"T": ["float"]}}',
        ),
    ),
)
