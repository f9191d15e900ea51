"""A condition under which an op is declared was dropped or weakened.

Flags:
    An op that base declares under a condition whose value is unknown, and head without it or under a weaker one.

Why it breaks:
    Nothing breaks. A model that is saved now and loads where the condition does not hold does not load there in base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="base declares the op '{op}' {old}, head {new}",
    witness="a model that uses '{op}' now loads where the condition does not hold, but not in base",
    advice="nothing to do",
    flagged=(
        ('f(X) -> (Out) & {"declared_if": [["defined(A)"]]}', 'f(X) -> (Out) & {"declared_if": null}'),
        (
            'f(X) -> (Out) & {"declared_if": [["defined(A)", "defined(B)"]]}',
            'f(X) -> (Out) & {"declared_if": [["defined(A)"]]}',
        ),
    ),
    passes=(('f(X) -> (Out) & {"declared_if": null}', 'f(X) -> (Out) & {"declared_if": [["defined(A)"]]}'),),
)
