"""The framework no longer accepts the oldest versions of an op.

Flags:
    The least version of the op that head takes is higher than that of base.

Why it breaks:
    A model that was saved with such a version does not load any more.

Instead:
    Keep the old version: a kernel of a new one that finds none of its new parameters has to do what the old one
    did.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="head accepts versions of '{op}' only from {new}, base from {old}",
    witness="a model with version {old} of '{op}' is refused by head",
    advice="register '{op}' from version {old} again",
    flagged=(('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 2, "max_version": 3}'),),
    passes=(
        ('f() -> () & {"min_version": 2, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 3}'),
        ('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 3}'),
    ),
)
