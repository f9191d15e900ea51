"""The framework accepts a new version of an op.

Flags:
    The greatest version of the op that head takes is higher than that of base.

Why it breaks:
    No existing model breaks. A model with the new version does not load on an older release.

Instead:
    This is the allowed way to change what an op means. Let the old versions mean what they meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="head accepts versions of '{op}' up to {new}, base up to {old}",
    witness="a model with version {new} of '{op}' does not load on base",
    advice="let versions of '{op}' up to {old} mean what they meant",
    flagged=(('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": 1, "max_version": 3}'),),
    passes=(
        ('f() -> () & {"min_version": 1, "max_version": 2}', 'f() -> () & {"min_version": 1, "max_version": 2}'),
        ('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 2}'),
    ),
)
