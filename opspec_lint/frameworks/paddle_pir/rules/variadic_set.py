"""An op takes any number of inputs and outputs now.

Flags:
    An op that takes inputs or gives outputs besides those that it declares in head, and not in base.

Why it breaks:
    Existing programs run as before. Base refuses new programs that give the op more.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{name}' now takes inputs or gives outputs besides those that it declares",
    witness="a new program that gives '{op}' more inputs than base declares is refused by base",
    advice="nothing to do for existing programs",
    flagged=(
        (
            'pd_op.f() -> () & {"variadic": false}',
            'pd_op.f() -> () & {"variadic": true}',
        ),
    ),
    passes=(
        (
            'pd_op.f() -> () & {"variadic": true}',
            'pd_op.f() -> () & {"variadic": false}',
        ),
    ),
)
