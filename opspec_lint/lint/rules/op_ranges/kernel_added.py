"""The framework runs an op that it did not run.

Flags:
    Head takes versions of the op, and base knows the op and takes none.

Why it breaks:
    No existing model breaks. A model with the op does not load on an older release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="head accepts '{op}' up to version {new}; base does not run it",
    witness="a model with '{op}' does not load on base",
    advice="nothing to do",
    flagged=(
        ('f() -> () & {"min_version": null, "max_version": null}', 'f() -> () & {"min_version": 1, "max_version": 1}'),
    ),
    passes=(
        ('f() -> () & {"min_version": 1, "max_version": 1}', 'f() -> () & {"min_version": 1, "max_version": 1}'),
        ('f() -> () & {"min_version": 1, "max_version": 1}', 'f() -> () & {"min_version": null, "max_version": null}'),
    ),
)
