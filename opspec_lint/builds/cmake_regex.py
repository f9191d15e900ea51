"""Regular expressions of CMake, matched without backtracking: no regex of a build file takes long.

A matcher maps the places of a text at which a match may begin to those at which it may end. A set of places is an
integer with one bit for each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Matcher: TypeAlias = Callable[[str, int], int]

_MAX_REGEX = 1_000
_MAX_TEXT = 512
_MAX_GROUPS = 20
"""Groups inside of each other."""
_MAX_REPEATS = 2
"""Repetitions inside of each other; the time grows with the length of the text to this power."""


class Regex(NamedTuple):
    """A regex that `is_valid_regex` accepts."""

    text: str

    def search(self, text: str) -> bool | None:
        """Return whether a part of a text matches; None if the text is too long."""
        matcher = _compile(self.text)
        if matcher is None or len(text) > _MAX_TEXT:
            return None
        return matcher(text, (2 << len(text)) - 1) != 0


def is_valid_regex(text: str) -> bool:
    """Return whether a text is a regex of CMake without many repetitions inside of each other."""
    return len(text) <= _MAX_REGEX and _compile(text) is not None


@lru_cache(256)
def _compile(text: str) -> Matcher | None:
    """Return the matcher of a regex; None if it is not valid."""
    parser = _Parser(text)
    try:
        matcher, repeats = parser.read_alternatives(0)
    except IndexError:  # a group or a set of characters has no end
        return None
    return matcher if parser.at == len(text) and repeats <= _MAX_REPEATS else None


class _Parser:
    """A recursive-descent parser; each method returns a matcher and its depth of repetitions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0

    def read_alternatives(self, depth: int) -> tuple[Matcher, int]:
        """Read the alternatives of a group, up to its `)` or the end of the text."""
        if depth > _MAX_GROUPS:
            raise IndexError
        parts = [self._sequence(depth)]
        while self._text[self.at : self.at + 1] == "|":
            self.at += 1
            parts.append(self._sequence(depth))
        matchers = [matcher for matcher, _ in parts]
        return _either(matchers), max(repeats for _, repeats in parts)

    def _sequence(self, depth: int) -> tuple[Matcher, int]:
        matchers, deepest = [], 0
        while self._text[self.at : self.at + 1] not in ("", "|", ")"):
            matcher, repeats = self._atom(depth)
            sign = self._text[self.at : self.at + 1]
            if sign and sign in "*+?":
                self.at += 1
                matcher, repeats = _repeat(matcher, sign), repeats + 1
            matchers.append(matcher)
            deepest = max(deepest, repeats)
        return _sequence(matchers), deepest

    def _atom(self, depth: int) -> tuple[Matcher, int]:
        character = self._text[self.at]
        self.at += 1
        if character == "(":
            result = self.read_alternatives(depth + 1)
            if self._text[self.at] != ")":
                raise IndexError
            self.at += 1
            return result
        if character == "[":
            return self._set(), 0
        if character == "\\":
            character = self._text[self.at]
            self.at += 1
        elif character in "^$.":
            return _SPECIAL[character], 0
        elif character in "*+?":
            raise IndexError
        return _characters(frozenset(character), is_negated=False), 0

    def _set(self) -> Matcher:
        is_negated = self._text[self.at] == "^"
        start = self.at + is_negated
        end = self._text.index("]", start + 1) if "]" in self._text[start + 1 :] else len(self._text)
        content = self._text[start:end]
        self.at = end + 1
        if end == len(self._text):
            raise IndexError
        characters = set(content)
        for index in range(1, len(content) - 1):
            if content[index] == "-":
                characters.update(map(chr, range(ord(content[index - 1]), ord(content[index + 1]) + 1)))
        return _characters(frozenset(characters), is_negated=is_negated)


@lru_cache(64)
def _places(text: str) -> dict[str, int]:
    """Return the places of each character of a text."""
    places: dict[str, int] = {}
    for index, character in enumerate(text):
        places[character] = places.get(character, 0) | 1 << index
    return places


def _characters(characters: frozenset[str], *, is_negated: bool) -> Matcher:
    def match(text: str, starts: int) -> int:
        places = 0
        for character, at in _places(text).items():
            if (character in characters) != is_negated:
                places |= at
        return (starts & places) << 1

    return match


def _sequence(matchers: list[Matcher]) -> Matcher:
    def match(text: str, starts: int) -> int:
        for matcher in matchers:
            starts = matcher(text, starts)
        return starts

    return match


def _either(matchers: list[Matcher]) -> Matcher:
    def match(text: str, starts: int) -> int:
        ends = 0
        for matcher in matchers:
            ends |= matcher(text, starts)
        return ends

    return match if len(matchers) > 1 else matchers[0]


def _repeat(matcher: Matcher, sign: str) -> Matcher:
    def match(text: str, starts: int) -> int:
        reached = 0 if sign == "+" else starts
        while starts:
            starts = matcher(text, starts) & ~reached
            reached |= starts
            if sign == "?":
                break
        return reached

    return match


_SPECIAL: dict[str, Matcher] = {
    "^": lambda _, starts: starts & 1,
    "$": lambda text, starts: starts & (1 << len(text)),
    ".": _characters(frozenset(), is_negated=True),
}
