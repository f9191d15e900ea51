"""An op is declared only under a condition that nobody can evaluate.

Flags:
    An op whose declaration in a source tree moved under a condition whose value is unknown: a macro that no file and no
    build defines, the import of another package, the version of the interpreter. A condition that is known to be
    false is reported as the removal of the op.

Why it breaks:
    Where the condition does not hold, the source no longer has the op. There, it is removed.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the op '{op}' is declared {new}; base declares it {old}",
    witness="a model that uses '{op}' no longer loads where the condition does not hold",
    advice="declare '{op}' without the condition, or in both branches of it",
    flagged=(
        ('f(X) -> (Out) & {"declared_if": null}', 'f(X) -> (Out) & {"declared_if": [["defined(A)"]]}'),
        ('f(X) -> (Out) & {"declared_if": [["defined(A)"]]}', 'f(X) -> (Out) & {"declared_if": [["defined(B)"]]}'),
    ),
    passes=(
        ('f(X) -> (Out) & {"declared_if": [["defined(A)"]]}', 'f(X) -> (Out) & {"declared_if": null}'),
        ("f(X) -> (Out)", 'f(X) -> (Out) & {"declared_if": [["defined(A)"]]}'),
    ),
)
