"""The arguments of a call in place of the parameters, in the conditions of the called function."""

from __future__ import annotations

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import truth
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_NAMES = pattern(r"[A-Za-z_]\w*")


class CallArguments(Record):
    """The arguments of a call: `shown` is the text of the call, `values` the parameters by name, None if unknown.

    A value counts if the parameter has it in all of the function.
    """

    shown: str
    values: Mapping[str, Any]

    def apply(self, condition: Condition) -> Condition:
        """Return a condition in the function with the arguments in place of the parameters."""
        return substitute(condition, self._requirement) if self.values else condition

    def _requirement(self, text: str) -> Condition:
        """Return the condition that a requirement holds in this call."""
        if self.values.keys().isdisjoint(_NAMES.findall(text)):
            return requirement(text)
        try:
            tokens = tokenize(text, 0, len(text))
            return ALWAYS if truth(evaluate(tokens, 0, len(tokens), _Parameters(self.values))) else NEVER
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return requirement(f"{text} in {self.shown}")


class _Parameters(NoNames):
    """The resolver of names in a condition: parameters with known values."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a parameter. Raises UnresolvedError for any other name, and an unknown value."""
        value = None if qualifiers else self._values.get(name)
        if value is None:
            raise UnresolvedError(f"the name {name} has no known value")
        return value


def may_change(tokens: Tokens, start: int, end: int, name: str) -> bool:
    """Return whether the body of a function may give a parameter another value, or declare a variable of its name.

    An operand of `&` or `*` counts as changed, as an address or a type may precede it.
    """
    for index in range(start, end):
        if tokens[index][:2] != (NAME, name):
            continue
        kind_before, before = tokens[index - 1][:2] if index else ("", "")
        behind = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        is_declared = kind_before == NAME and before not in ("return", "else", "not", "and", "or")
        if is_declared or before in ("&", "++", "--", "*") or behind in ("++", "--"):
            return True
        if behind.endswith("=") and behind not in ("==", "!=", "<=", ">="):
            return True
        if behind in ("<", ">") and tokens[index + 2][1] == f"{behind}=":  # `<<=` and `>>=` are two tokens
            return True
    return False
