"""An op takes any number of inputs and outputs now.

Flags:
    An op that takes inputs and gives outputs besides those that it declares, and did not.

Why it breaks:
    Existing programs run as before. Base refuses new programs that give the op more.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="'{name}' takes inputs and gives outputs besides those that it declares now",
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
