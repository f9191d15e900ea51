"""An op has a fixed number of inputs and outputs now.

Flags:
    An op that takes inputs or gives outputs besides those that it declares in base, and not in head.

Why it breaks:
    A program that gives the op more inputs, or takes more outputs, is refused.

Instead:
    Make a new op for the fixed form.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="'{name}' no longer takes inputs or gives outputs besides those that it declares",
    witness="a saved program that gives '{op}' more inputs than it declares is refused",
    advice="keep '{op}' variadic, or add a new op",
    flagged=(
        (
            'pd_op.f() -> () & {"variadic": true}',
            'pd_op.f() -> () & {"variadic": false}',
        ),
    ),
    passes=(
        (
            'pd_op.f() -> () & {"variadic": false}',
            'pd_op.f() -> () & {"variadic": true}',
        ),
    ),
)
