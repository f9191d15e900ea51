"""The effects that statements may have on a maker, judged by their tokens alone.

Unknown calls count as effects: an op is unresolved rather than wrong.
"""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.fluid.checking import is_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope

ADDERS = frozenset({"AddInput", "AddOutput", "AddAttr"})
_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "catch", "sizeof", "decltype", "defined", "return", "static_cast", "const_cast",
     "dynamic_cast", "reinterpret_cast", "alignof", "noexcept", "throw", "new", "delete", "case"}
)  # fmt: skip
_OPENERS = (";", "{", "}", ")", "else", "do")
"""The tokens behind which a statement may begin."""


class NoEffects:
    """The effects of a function outside of makers, which only computes a value."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:
        """Accept a statement that only checks or logs."""
        if tokens[start][1] == "PADDLE_THROW":
            raise UnresolvedError("`PADDLE_THROW` leaves the function")
        return is_check(tokens[start][1]) and not self.may_have_effect(tokens, start, end)

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
        """Return whether tokens use a maker, or call an unknown function."""
        return may_declare(tokens, start, end, self._scope, is_value=is_value)


def may_declare(tokens: Tokens, start: int, end: int, scope: Scope, *, is_value: bool = False) -> bool:
    """Return whether tokens may declare an argument; a name that is not known may.

    `is_value` marks an expression whose value is used: a function called for its value cannot reach a maker that it is
    not given, but a call that is a statement may be a macro. `scope` knows the functions that the file sees.
    """
    for at in range(start, end):
        kind, text, _ = tokens[at]
        if kind != NAME:
            continue
        # `this` may be handed to a function that declares with it, and behind `throw` nothing is declared.
        if text in ADDERS or text in ("this", "throw"):
            return True
        if _may_throw_in_expression(tokens, at, end, scope):
            return True
        if not is_call(tokens, at, end):
            continue
        first = at
        while first - 2 >= start and tokens[first - 1][1] == "::" and tokens[first - 2][0] == NAME:
            # Back to the first qualifier, to see what precedes the whole name in the statement.
            first -= 2
        is_statement = (first == start and not is_value) or (first > start and tokens[first - 1][1] in _OPENERS)
        if is_statement and text not in _KEYWORDS and not is_check(text) and not is_harmless(text, scope):
            return True
    return False


def _may_throw_in_expression(tokens: Tokens, at: int, end: int, scope: Scope) -> bool:
    """Return whether a name is a function or a constructor that may throw, wherever it is called."""
    text = tokens[at][1]
    before = tokens[at - 1][1] if at else ""
    if text in _KEYWORDS or is_check(text) or c_type(text) is not None or before in (".", "->"):
        return False
    if is_call(tokens, at, end):
        return scope.throwing.has_function(text)
    is_constructed = (at + 1 < end and tokens[at + 1][0] == NAME) or before == "new"
    return is_constructed and scope.throwing.has_constructor(text)


def is_call(tokens: Tokens, at: int, end: int) -> bool:
    """Return whether the name at an index is called, with or without template arguments."""
    if at + 1 < end and tokens[at + 1][1] == "<":
        at = tokens.closing_angle(at + 1)
        return at > 0 and at + 1 < end and tokens[at + 1][1] == "("
    return at + 1 < end and tokens[at + 1][1] == "("


def is_harmless(name: str, scope: Scope) -> bool:
    """Return whether a function cannot reach a maker that it is not given: a type, or a function of the tree.

    One that may throw is not harmless: what follows its call may never be declared.
    """
    return c_type(name) is not None or (scope.is_function(name) and not scope.throwing.has_function(name))
