"""How much fits on a page: what does not is counted, and stands in the data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    _T = TypeVar("_T")


class Room:
    """The characters that are left on a page.

    Args:
        size: how many there are at first.
    """

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, items: Iterable[_T], size: Callable[[_T], int]) -> tuple[_T, ...]:
        """Return the first of some items, as many as there is room for."""
        taken = []
        for each in items:
            self._left -= size(each)
            if self._left < 0:
                break
            taken.append(each)
        return tuple(taken)
