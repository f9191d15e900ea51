"""A cache of results that are made of the texts of files."""

from __future__ import annotations

from typing import TypeVar

from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    TextOf = Callable[[str], str | None]
    """Returns the text of a file, None for a missing one."""

T = TypeVar("T")


class TextCache(Generic[T]):
    """Up to `most` results by their keys, each with the texts of all files that were read for it.

    Revisions in a row share most files, and so most results.
    """

    def __init__(self, most: int) -> None:
        self._known: dict[Hashable, tuple[T, dict[str, str | None]]] = BoundedCache(most)

    def get(self, key: Hashable, text_of: TextOf, make: Callable[[TextOf], T]) -> T:
        """Return the result for a key, which is made again unless all texts that it was made of are the same.

        Args:
            key: the key.
            text_of: reads a file of the present revision.
            make: makes the result; it reads files only by the function that it is given.
        """
        if key in self._known:
            result, known_texts = self._known[key]
            if all(text_of(path) == text for path, text in known_texts.items()):
                return result
        texts: dict[str, str | None] = {}

        def read(path: str) -> str | None:
            if path not in texts:
                texts[path] = text_of(path)
            return texts[path]

        result = make(read)
        self._known[key] = result, texts
        return result
