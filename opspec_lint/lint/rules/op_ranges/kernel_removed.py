"""The framework no longer runs an op.

Flags:
    Base takes versions of the op, and head knows the op and takes none.

Why it breaks:
    A model with the op does not load any more, in whichever version.

Instead:
    Keep the kernels of the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="head does not run '{op}', which base accepts up to version {old}",
    witness="a model with '{op}' is refused by head",
    advice="register '{op}' again, up to version {old}",
    flagged=(
        ('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": null, "max_version": null}'),
    ),
    passes=(
        ('f() -> () & {"min_version": null, "max_version": null}', 'f() -> () & {"min_version": 1, "max_version": 2}'),
        ('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": 1, "max_version": 2}'),
    ),
)
