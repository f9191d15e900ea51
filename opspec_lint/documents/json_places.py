"""Where the members of a JSON text stand: it is gone through once, and what is not asked for is skipped.

The JSON decoder itself skips, at the speed of decoding. The text has been decoded without a fault.
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
    """A JSON text. A value is the offset where it begins.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.root = _skip(text, 0)

    def is_mapping(self, value: int) -> bool:
        """Tell whether a value is an object."""
        return self._text[value] == "{"

    def members(self, value: int) -> Iterator[tuple[str, int, int]]:
        """Yield the key, where it stands and its value, for each member of an object."""
        text = self._text
        at = _skip(text, value + 1)
        while text[at] != "}":
            key, end = _DECODER.raw_decode(text, at)
            inside = _skip(text, _skip(text, end) + 1)
            yield key, at, inside
            _, end = _DECODER.raw_decode(text, inside)
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)

    def end(self, value: int) -> int:
        """Return the offset behind a value."""
        return _DECODER.raw_decode(self._text, value)[1]

    def items(self, value: int) -> Iterator[tuple[Any, int]]:
        """Yield each item of a list, decoded, and where it begins."""
        text = self._text
        at = _skip(text, value + 1)
        while text[at] != "]":
            item, end = _DECODER.raw_decode(text, at)
            yield item, at
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
