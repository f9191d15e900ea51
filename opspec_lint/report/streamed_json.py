"""Writes JSON in parts, with arrays whose items are made when they are written."""

from __future__ import annotations

import json
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    _Array = list[Any]
else:
    _Array = list

_PART = 4000
"""Pieces of text that are joined to a part."""


class Array(_Array):
    """An array for `written`, which takes its items one after the other."""

    def __init__(self, items: Iterable[Any], length: int) -> None:
        super().__init__()
        self._items, self._length = items, length

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return self._length


def written(document: Any) -> Iterator[str]:
    """Yield a document as `json.dumps` writes it with an indent of 1, and the end of its last line."""
    pieces = json.JSONEncoder(indent=1).iterencode(document)
    while part := "".join(islice(pieces, _PART)):
        yield part
    yield "\n"
