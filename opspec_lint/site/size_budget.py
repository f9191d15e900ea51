"""The size budget of a page: items that exceed it are counted only, and are complete in the data files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    _T = TypeVar("_T")


class SizeBudget:
    """The number of characters that are left on a page; `size` is the number on an empty page."""

    def __init__(self, size: int) -> None:
        self._left = size

    def take(self, items: Iterable[_T], size: Callable[[_T], int]) -> tuple[_T, ...]:
        """Return the first items, as many as fit."""
        taken = []
        for item in items:
            self._left -= size(item)
            if self._left < 0:
                break
            taken.append(item)
        return tuple(taken)
