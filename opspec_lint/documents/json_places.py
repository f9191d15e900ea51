"""Offsets of the members of a JSON text, found in one pass that skips all values that are not requested.

The JSON decoder itself skips values, at the speed of decoding. The text has been decoded before, so it is valid.
"""

from __future__ import annotations

import json

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SPACE = pattern(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class JsonPlaces:
    """A JSON text. A value is represented by the offset of its beginning.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.root = _skip_space(text, 0)
        self._ends: dict[int, int] = {}
        """The ends of values that were skipped or iterated, by their beginnings, so that none is decoded twice."""

    def is_mapping(self, value: int) -> bool:
        """Return whether a value is an object."""
        return self._text[value] == "{"

    def members(self, mapping: int) -> Iterator[tuple[str, int, int]]:
        """Yield the key, its offset, and the value, for each member of an object."""
        text = self._text
        at = _skip_space(text, mapping + 1)
        while text[at] != "}":
            key, end = _DECODER.raw_decode(text, at)
            value_offset = _skip_space(text, _skip_space(text, end) + 1)
            yield key, at, value_offset
            at = _skip_space(text, self.end(value_offset))
            if text[at] == ",":
                at = _skip_space(text, at + 1)
        self._ends[mapping] = at + 1

    def end(self, value: int) -> int:
        """Return the offset of the end of a value."""
        if value not in self._ends:
            self._ends[value] = _DECODER.raw_decode(self._text, value)[1]
        return self._ends[value]

    def items(self, value: int) -> Iterator[tuple[Any, int]]:
        """Yield each item of a list, decoded, and its offset."""
        text = self._text
        at = _skip_space(text, value + 1)
        while text[at] != "]":
            item, end = _DECODER.raw_decode(text, at)
            yield item, at
            at = _skip_space(text, end)
            if text[at] == ",":
                at = _skip_space(text, at + 1)


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
