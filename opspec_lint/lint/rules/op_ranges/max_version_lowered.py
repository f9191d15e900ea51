"""The framework no longer accepts the newest versions of an op.

Flags:
    The greatest version of the op that head takes is lower than that of base.

Why it breaks:
    A model that was saved with such a version does not load any more.

Instead:
    Keep the kernel of the version, as long as models may have it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="head accepts versions of '{op}' only up to {new}, base up to {old}",
    witness="a model with version {old} of '{op}' is refused by head",
    advice="register '{op}' up to version {old} again",
    flagged=(('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 2}'),),
    passes=(
        ('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": 1, "max_version": 3}'),
        ('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": 1, "max_version": 2}'),
    ),
)
