"""More builds of the framework have an op.

Flags:
    An op that head registers in builds that did not have it.

Why it breaks:
    Nothing breaks. A model that is saved now and loads in one of these builds does not load in an older one of the
    same kind.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="builds that now have the op '{op}': {builds}",
    witness="a model with a node of type '{op}' now loads in these builds, but not in older ones: {builds}",
    advice="nothing to do for existing models",
    flagged=(
        ('f(X) -> (Out) builds ["gpu"]', "f(X) -> (Out)"),
        ('f(X) -> () builds ["none"]', 'f(X) -> () builds ["cpu"]'),
    ),
    passes=(("f(X) -> (Out)", 'f(X) -> (Out) builds ["gpu"]'),),
)
