"""An op got a function body.

Flags:
    A schema that a function of other ops defines in head, and not in base.

Why it breaks:
    No model breaks. A runtime without a kernel for the op can run it now.

Instead:
    Nothing to do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the op now has a function body",
    witness="a runtime without a kernel for '{op}' can run it by its function body",
    advice="nothing to do for existing models",
    flagged=(
        (
            'f@1(X: T) -> (Y: T) & {"deprecated": false, "has_function": false}',
            'f@1(X: T) -> (Y: T) & {"has_function": true}',
        ),
    ),
    passes=(('f@1(X: T) -> (Y: T) & {"has_function": true}', 'f@1(X: T) -> (Y: T) & {"has_function": true}'),),
)
