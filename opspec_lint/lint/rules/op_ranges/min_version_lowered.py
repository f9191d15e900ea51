"""The framework accepts older versions of an op.

Flags:
    The lowest version of the op that head takes is lower than that of base.

Why it breaks:
    No existing model breaks.

Instead:
    Nothing to do if the kernels compute for the older versions what these were saved for.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="head accepts versions of '{op}' from {new}, base from {old}",
    witness="a model with version {new} of '{op}' does not load on base",
    advice="make sure that version {new} of '{op}' computes what it computed when it was current",
    flagged=(('f() -> () & {"min_version": 2, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 3}'),),
    passes=(
        ('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 2, "max_version": 3}'),
        ('f() -> () & {"min_version": 1, "max_version": 3}', 'f() -> () & {"min_version": 1, "max_version": 3}'),
    ),
)
