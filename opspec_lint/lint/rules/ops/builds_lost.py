"""A build of the framework no longer has an op.

Flags:
    An op that head registers in fewer builds than base: for GPUs alone, say, where every build had it. The registration
    moved into an `#ifdef`, or its file into a condition of the build.

Why it breaks:
    Whoever runs a build that lost the op can no longer load a saved model with it. To that build the op is removed.

Instead:
    Register the op in every build that had it. What only some hardware can compute may be left to the kernels.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="builds that no longer have the op '{op}': {builds}; it is left in: {left}",
    witness="a model saved with a node of type '{op}' no longer loads in these builds: {builds}",
    advice="register '{op}' in every build that had it",
    flagged=(
        ("f(X) -> (Out)", 'f(X) -> (Out) builds ["gpu"]'),
        ('f(X) -> (Out) builds ["cpu", "gpu"]', 'f(X) -> (Out) builds ["gpu", "xpu"]'),
        ('f(X) -> (Out) builds ["cpu"]', 'f(X) -> (Out) builds ["none"]'),
    ),
    passes=(
        ('f(X) -> (Out) builds ["gpu"]', "f(X) -> (Out)"),
        ('f(X) -> (Out) builds ["cpu", "gpu"]', 'f(X) -> (Out) builds ["gpu", "cpu"]'),
    ),
)
