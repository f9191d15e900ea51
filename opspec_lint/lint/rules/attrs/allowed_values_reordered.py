"""The allowed values of an attr are listed in another order.

Flags:
    An attr whose list of allowed values holds the same values in another order, or repeats one of them.

Why it breaks:
    Nothing breaks: a value is allowed or it is not, wherever it stands in the list.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the allowed values of the attr '{name}' are listed in another order: {new}",
    witness="models of '{op}' load as before: the order of the allowed values of '{name}' has no effect",
    advice="nothing to do",
    flagged=(('f(X) -> (Out) [T: type in ["half", "float"]]', 'f(X) -> (Out) [T: type in ["float", "half"]]'),),
    passes=(('f(X) -> (Out) [T: type in ["half"]]', 'f(X) -> (Out) [T: type in ["float", "half"]]'),),
)
