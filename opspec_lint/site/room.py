"""The limit of what fits on a page: the rest is counted, and is in the data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    _T = TypeVar("_T")


class Room:
    """The characters that are left on a page.

    Args:
        size: their number on an empty page.
    """

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, items: Iterable[_T], size: Callable[[_T], int]) -> tuple[_T, ...]:
        """Return the first of some items, as many as there is room for."""
        taken = []
        for item in items:
            self._left -= size(item)
            if self._left < 0:
                break
            taken.append(item)
        return tuple(taken)
