"""The conditions of the preprocessor, as the compiler of a build finds them."""

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
"""A condition that `is_true` follows for certain."""
_WORD = pattern(r"[A-Za-z_]\w*|(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*|&&|\|\||[=!<>]=|<<|>>|[-!<>()+*/%,&|^~?:]")
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
    {"*": lambda a, b: a * b, "/": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else 0},
)
_MAX_WORD = 400
_MAX_NAMES = 1000  # macros that one condition may expand


def is_followed(condition: str, defined: Mapping[str, str]) -> bool:
    """Tell whether `is_true` says of a condition what a compiler says."""
    if not _PLAIN.fullmatch(condition):
        return False
    bodies = (defined.get(name, "") for name in set(re.findall(r"[A-Za-z_]\w*", condition)))
    return all(_PLAIN.fullmatch(body) and "(" not in body for body in bodies)


def is_true(condition: str, defined: Mapping[str, str]) -> bool:
    """Tell whether `#if condition` holds. What is not defined counts as 0, as for a compiler.

    A condition that makes no sense does not hold.
    """
    try:
        return bool(_Parser(_WORD.findall(condition), defined).all())
    except (IndexError, ValueError):
        return False


class _Parser:
    def __init__(self, words: list[str], defined: Mapping[str, str]) -> None:
        self._words = words
        self._at = 0
        self._defined = defined
        self._names = 0
        self._busy: dict[str, int] = {}  # how many words are left behind what each macro was expanded to

    def all(self) -> int:
        return self._binary(0, 0)

    def _binary(self, level: int, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise ValueError
        if level == len(_BINARY):
            return self._unary(depth)
        value = self._binary(level + 1, depth)
        while self._at < len(self._words) and self._words[self._at] in _BINARY[level]:
            apply = _BINARY[level][self._next()]
            value = apply(value, self._binary(level + 1, depth))
        return value

    def _unary(self, depth: int) -> int:
        word = self._next()
        if depth > MAX_DEPTH or len(word) > _MAX_WORD:
            raise ValueError
        if word == "!":
            return int(not self._unary(depth + 1))
        if word == "-":
            return -self._unary(depth + 1)
        if word == "(":
            value = self._binary(0, depth + 1)
            self._next()
            return value
        if word == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            return int(name in self._defined)
        if word[0].isdigit():
            word = word.rstrip("uUlL")
            return int(word, 0) if word[:2].lower() == "0x" else int(word)
        return self._name(word, depth)

    def _name(self, name: str, depth: int) -> int:
        if self._at < len(self._words) and self._words[self._at] == "(":
            self._skip_arguments()
            return 0
        body = _WORD.findall(self._defined.get(name, ""))
        left = len(self._words) - self._at
        if not body or self._names > _MAX_NAMES or self._busy.get(name, left + 1) <= left:
            return 0
        self._names += 1
        self._busy[name] = left
        self._words[self._at : self._at] = body  # text in its place: its operators bind as if they were written there
        return self._unary(depth + 1)

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            word = self._next()
            depth += (word == "(") - (word == ")")
            if not depth:
                return

    def _next(self) -> str:
        self._at += 1
        return self._words[self._at - 1]
