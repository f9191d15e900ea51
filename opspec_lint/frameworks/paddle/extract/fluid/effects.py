"""What statements may do to a maker, told by their tokens alone."""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.type_names import c_type
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
_BEFORE = (";", "{", "}", ")", "else", "do")


class NoEffects:
    """The effects of a function that is no part of a maker: it does nothing but return a value."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def expression(self, words: Tokens, start: int, end: int) -> bool:
        """Take a statement that only checks."""
        return is_check(words[start][1]) and not self.may_have_effect(words, start, end)

    def may_have_effect(self, words: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
        """Tell whether tokens name a maker, or call what nobody knows."""
        return may_declare(words, start, end, self._scope, is_value=is_value)


def may_declare(words: Tokens, start: int, end: int, scope: Scope, *, is_value: bool = False) -> bool:
    """Tell whether tokens may declare an argument, for all that is known of the names in them.

    Args:
        words: the tokens of a function.
        start: where the part begins.
        end: where it ends.
        scope: what the file sees.
        is_value: whether the part is a value and no statement. A function that is called for its value cannot reach a
            maker that it is not given; what looks like a call and is a statement may be a macro.
    """
    for at in range(start, end):
        kind, text, _ = words[at]
        if kind != NAME:
            continue
        if text in ADDERS or text == "this":
            return True
        if not is_call(words, at, end):
            continue
        first = at
        while first - 2 >= start and words[first - 1][1] == "::" and words[first - 2][0] == NAME:
            first -= 2
        is_statement = (first == start and not is_value) or (first > start and words[first - 1][1] in _BEFORE)
        if is_statement and text not in _KEYWORDS and not is_check(text) and not is_harmless(text, scope):
            return True
    return False


def is_call(words: Tokens, at: int, end: int) -> bool:
    """Tell whether a name is called, with or without arguments of a template."""
    if at + 1 < end and words[at + 1][1] == "<":
        at = words.closing_angle(at + 1)
        return at > 0 and at + 1 < end and words[at + 1][1] == "("
    return at + 1 < end and words[at + 1][1] == "("


def is_harmless(name: str, scope: Scope) -> bool:
    """Tell whether a call of a function cannot reach a maker that it is not given: it is a function of the tree."""
    return c_type(name) is not None or scope.is_function(name)
