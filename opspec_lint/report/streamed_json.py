"""JSON in parts, with arrays whose items are made lazily, so that a large report fits into memory."""

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
"""Number of tokens that are joined to a part; a write per token would be slow."""


class Array(_Array):
    """A JSON array whose items come from an iterator.

    It is a list by type only, as the encoder of the standard library accepts no other class; `__len__` has to be true
    for an array that is not empty.
    """

    def __init__(self, items: Iterable[Any], length: int) -> None:
        super().__init__()
        self._items, self._length = items, length

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return self._length


def encode_parts(document: Any) -> Iterator[str]:
    """Yield the text of `json.dumps(document, indent=1)` in parts, with a newline at the end."""
    pieces = json.JSONEncoder(indent=1).iterencode(document)
    while part := "".join(islice(pieces, _PART)):
        yield part
    yield "\n"
