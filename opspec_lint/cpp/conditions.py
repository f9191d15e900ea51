"""The evaluator of preprocessor conditions such as `#if defined(X) && Y > 1`."""

from __future__ import annotations

import re

from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PLAIN = pattern(
    r"(?:\s|\\\n|defined\b|(?!defined\b)[A-Za-z_]\w*\b(?!\s*\()|(?:0[xX][0-9a-fA-F]+|[1-9]\d*|0)[lL]*(?![\w.])"
    r"|&&|\|\||[=!<>]=|[-!()+*]|[<>](?![<>=]))*"
)
"""A condition that `is_true` evaluates exactly."""
_TOKEN = pattern(r"[A-Za-z_]\w*|(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*|&&|\|\||[=!<>]=|<<|>>|[-!<>()+*/%,&|^~?:]")
_BINARY: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a or b))},
    {"&&": lambda a, b: int(bool(a and b))},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    # `&&` evaluates both operands here, so that a division by zero may be in the one that does not count.
    {"*": lambda a, b: a * b, "/": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0},
)
_MAX_TOKEN = 400
"""Characters of a token."""
_MAX_NAMES = 1000
"""Macros that one condition may expand."""


def is_followed(condition: str, defined: Mapping[str, str]) -> bool:
    """Return whether `is_true` is certain to evaluate a condition as a compiler does."""
    if not _PLAIN.fullmatch(condition):
        return False
    bodies = (defined.get(name, "") for name in set(re.findall(r"[A-Za-z_]\w*", condition)))
    return all(_PLAIN.fullmatch(body) and "(" not in body for body in bodies)


def is_true(condition: str, defined: Mapping[str, str]) -> bool:
    """Return whether `#if condition` holds. An undefined name counts as 0, as for a compiler.

    An invalid condition does not hold.
    """
    try:
        return bool(_Parser(_TOKEN.findall(condition), defined).all())
    except (IndexError, ValueError):
        return False


class _Parser:
    """A parser of a condition that evaluates it by recursive descent."""

    def __init__(self, tokens: list[str], defined: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._defined = defined
        self._names = 0
        # By macro, the number of tokens left after its expansion: until then, it is not expanded again.
        self._busy: dict[str, int] = {}

    def all(self) -> int:
        """Return the value of the whole condition."""
        return self._binary(0, 0)

    def _binary(self, level: int, depth: int) -> int:
        """Return the value of operands joined by the operators of a level, by the levels above it."""
        if depth > MAX_DEPTH:
            raise ValueError
        if level == len(_BINARY):
            return self._unary(depth)
        value = self._binary(level + 1, depth)
        while self._at < len(self._tokens) and self._tokens[self._at] in _BINARY[level]:
            apply = _BINARY[level][self._next()]
            value = apply(value, self._binary(level + 1, depth))
        return value

    def _unary(self, depth: int) -> int:
        """Return the value of an operand with the signs before it, of `defined`, or of parentheses."""
        text = self._next()
        if depth > MAX_DEPTH or len(text) > _MAX_TOKEN:
            raise ValueError
        if text == "!":
            return int(not self._unary(depth + 1))
        if text == "-":
            return -self._unary(depth + 1)
        if text == "(":
            value = self._binary(0, depth + 1)
            self._next()
            return value
        if text == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            return int(name in self._defined)
        if text[0].isdigit():
            text = text.rstrip("uUlL")
            return int(text, 0) if text[:2].lower() == "0x" else int(text)
        return self._name(text, depth)

    def _name(self, name: str, depth: int) -> int:
        """Return the value of a name: of its macro, or 0."""
        if self._at < len(self._tokens) and self._tokens[self._at] == "(":
            self._skip_arguments()
            return 0
        # Of all identifiers, only `true` is not replaced by 0: https://eel.is/c++draft/cpp.cond
        if name == "true" and name not in self._defined:
            return 1
        body = _TOKEN.findall(self._defined.get(name, ""))
        left = len(self._tokens) - self._at
        if not body or self._names > _MAX_NAMES or self._busy.get(name, left + 1) <= left:
            return 0
        self._names += 1
        self._busy[name] = left
        # The body is inserted as tokens, as its operators bind as if they were written there.
        self._tokens[self._at : self._at] = body
        return self._unary(depth + 1)

    def _skip_arguments(self) -> None:
        """Skip the arguments of a function-like name, which counts as 0."""
        depth = 0
        while True:
            text = self._next()
            depth += (text == "(") - (text == ")")
            if not depth:
                return

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]
