"""An op was removed without having been deprecated.

Flags:
    An op that base has, not marked as deprecated, and that head does not have.

Why it breaks:
    No release warned its users, so they had no time to migrate.

Instead:
    Deprecate first: declare from which graph version on the op is refused, and remove it in a later release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("op_removed",),
    when=lambda change: change.facts["deprecation"] is None,
    level="warning",
    directions=("backward",),
    message="the op '{op}' was removed without having been deprecated for a release",
    witness="users who save models with '{op}' were not warned",
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
