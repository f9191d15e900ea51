"""Evaluates small C++ functions: declarations, conditions that can be told, and a return."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.cpp.expressions import evaluate
from opspec_lint.frameworks.paddle.cpp.tokens import NAME, SIGN, statement_end, tokens
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.cpp.classes import Body
    from opspec_lint.frameworks.paddle.cpp.expressions import Names
    from opspec_lint.frameworks.paddle.cpp.tokens import Tokens


class Locals:
    """The variables of a function, before the names around it. One that cannot be evaluated is so when it is used."""

    def __init__(self, outer: Names, values: dict[str, Any] | None = None) -> None:
        self.values: dict[str, Any] = values or {}
        self.outer = outer

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a variable, or of a name around the function."""
        if not qualifiers and name in self.values:
            value = self.values[name]
            if isinstance(value, UnresolvedError):
                raise value
            return value
        return self.outer.constant(qualifiers, name)

    def type_text(self, text: str) -> str:
        """Return a type with the template parameters in it replaced."""
        return self.outer.type_text(text)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return what a function returns."""
        return self.outer.call(qualifiers, name, arguments)

    def declare(self, words: Tokens, start: int, end: int) -> bool:
        """Take in a statement if it declares a variable; tell whether it does."""
        split = _declaration(words, start, end)
        if split is None:
            return False
        name, begin, stop = split
        self.values[name] = self._value(words, begin, stop, name)
        return True

    def forget(self, words: Tokens, start: int, end: int) -> None:
        """Take in that a statement may have changed the variables that it names."""
        for kind, text, _ in words[start:end]:
            if kind == NAME and text in self.values:
                self.values[text] = UnresolvedError(f"the variable {text} is changed in a way that is not followed")

    def _value(self, words: Tokens, begin: int, stop: int, name: str) -> Any:
        if begin >= stop:
            return UnresolvedError(f"the variable {name} has no value that could be found")
        try:
            return evaluate(words, begin, stop, self)
        except UnresolvedError as error:
            return error


def returned(body: Body, arguments: list[Any], names: Names) -> Any:
    """Return what a function returns for some arguments.

    Raises:
        UnresolvedError: it cannot be told.
    """
    here = Locals(names, dict(zip(body.parameters, arguments, strict=False)))
    words = tokens(body.code.text, body.start, body.end)
    index = 0
    while index < len(words):
        kind, text, _ = words[index]
        if kind == SIGN and text == ";":
            index += 1
            continue
        if kind == NAME and text in ("if", "for", "while", "switch", "do", "try", "goto"):
            raise UnresolvedError(f"a function with `{text}` is not followed")
        end = statement_end(words, index)
        if kind == NAME and text == "return":
            return evaluate(words, index + 1, end, here)
        if not here.declare(words, index, end):
            here.forget(words, index, end)
        index = end + 1
    raise UnresolvedError("a function that returns nothing")


_NOT_TYPES = frozenset({"return", "if", "for", "while", "else", "new", "delete", "throw", "using", "typedef", "case"})


def _declaration(  # noqa: PLR0912 - one case each
    words: Tokens, start: int, end: int
) -> tuple[str, int, int] | None:
    """Return the name that a statement declares, and the range of what it is set to; None where it declares none."""
    index = start
    names = 0
    last = -1
    while index < end:
        kind, text, _ = words[index]
        if kind == NAME:
            if text in _NOT_TYPES:
                return None
            names += 1
            last = index
        elif text == "<":
            closed = words.closing_angle(index)
            if closed < 0:
                return None
            index = closed
        elif text == "::":
            names -= 1
        elif text == "[":
            index = words.closing(index)
        elif text not in ("*", "&"):
            break
        index += 1
    if names < 2 or last < start + 1 or words[last - 1][1] in ("::", "."):
        return None
    name = words[last][1]
    if index >= end:
        return name, end, end
    sign = words[index][1]
    if sign == "=":
        return name, index + 1, end
    if sign == "{" and words.closing(index) == end - 1:
        return name, index, end
    if sign == "(" and words.closing(index) == end - 1:
        return name, index, end
    return None
