"""What an input of a node names: a node, and which of its outputs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Wire: TypeAlias = tuple[int | None, int]


_OF_32_BITS = (1 << 32) - 1
"""What TensorFlow keeps of an index."""
_MOST_DIGITS = 40


def split(text: str) -> tuple[str, int]:
    """Return the node and the index that an input names; the index of a control input is -1."""
    if text[:1] == "^":
        return text[1:], -1
    name, colon, index = text.rpartition(":")
    if colon and index.isdecimal() and len(index) < _MOST_DIGITS:
        return name, int(index) & _OF_32_BITS
    return text, 0


def wire(text: str, places: dict[str, int]) -> Wire:
    """Return the place of the node that an input names, None where there is none, and the index of the output."""
    at = places.get(text)  # most inputs are the name of a node alone
    if at is not None:
        return at, 0
    source, index = split(text)
    return places.get(source), index
