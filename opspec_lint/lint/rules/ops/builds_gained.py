"""More builds of the framework have an op.

Flags:
    An op that head registers in builds that did not have it.

Why it breaks:
    Nothing breaks. A model that is saved now and loads in one of these builds does not load in an older one of the
    same kind.

Instead:
    Nothing has to be done.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=("forward",),
    since="0.2.0",
    message="builds that have the op '{op}' now: {builds}",
    witness="a model with a node of type '{op}' loads in these builds now, and not in older ones: {builds}",
    advice="nothing has to be done",
    flagged=(
        ('f(X) -> (Out) builds ["gpu"]', "f(X) -> (Out)"),
        ('f(X) -> () builds ["none"]', 'f(X) -> () builds ["cpu"]'),
    ),
    passes=(("f(X) -> (Out)", 'f(X) -> (Out) builds ["gpu"]'),),
)
