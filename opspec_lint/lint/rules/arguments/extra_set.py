"""An argument became extra.

Flags:
    An input, output or attr that is extra in head and not in base.

Why it breaks:
    Extra arguments are cut from every exported model. Existing models still load; exported again, they lose the value
    of the argument, and older frameworks miss it.

Instead:
    Leave it as it is, and add a separate extra argument.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the {kind} '{name}' became extra",
    witness=(
        "a model exported from now on omits '{name}' of '{op}'; its value is lost, and the old framework may require it"
    ),
    advice="leave '{name}' as it was, and add a separate extra argument",
    flagged=(
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {extra}]"),
        ("f(X, Y?) -> (Out)", "f(X, Y? {extra}) -> (Out)"),
    ),
    passes=(
        ("f(X) -> (Out) [a: INT = 0 {extra}]", "f(X) -> (Out) [a: INT = 0]"),
        ("f(X) -> (Out) [a: INT = 0 {extra?}]", "f(X) -> (Out) [a: INT = 0 {extra}]"),
    ),
)
