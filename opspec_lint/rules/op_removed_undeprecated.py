"""An op was removed that nobody was told about.

Flags:
    An op that head has not, and that base has and does not declare as deprecated.

Why it breaks:
    Who uses it had no release with a warning in which to move on.

Instead:
    Deprecate first: declare from which graph version on the op is refused, and remove it in a later release.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    on=("op_removed",),
    when=lambda change: change.old.deprecation is None,
    level="warning",
    directions=("backward",),
    since="0.1.0",
    message="the op '{op}' was removed without having been deprecated for a release",
    witness="whoever saves models with '{op}' was never warned",
    advice=(
        "bring '{op}' back as deprecated from a graph version above {graph_version} on, and remove it in a later "
        "release"
    ),
    flagged=(("f(x: T) -> () deprecated null", ""),),
    passes=(
        ('f(x: T) -> () deprecated "use g" from 9', ""),
        ("f(x: T) -> ()", ""),
    ),
)
