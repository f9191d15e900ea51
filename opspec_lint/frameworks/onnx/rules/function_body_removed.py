"""An op lost its function body.

Flags:
    A schema that a function of other ops defines in base, and not in head.

Why it breaks:
    The signature is as before. A runtime without a kernel for the op ran it by its function body, and refuses it
    now.

Instead:
    Keep the function body.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the op no longer has a function body",
    witness="a runtime without a kernel for '{op}' refuses an existing model with the op",
    advice="keep the function body of '{op}'",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"has_function": true}',
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
        ),
    ),
    passes=(
        (
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
            'f@1(X: T) -> (Y: T) & {"has_function": true}',
        ),
    ),
)
