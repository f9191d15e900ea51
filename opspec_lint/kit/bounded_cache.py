"""A cache of results with a limited number of entries."""

from __future__ import annotations

from typing import Any

_MOST = 20_000


class BoundedCache(dict["Any", "Any"]):
    """Up to `most` results by their inputs. A full cache is cleared: what is still needed soon returns."""

    def __init__(self, most: int = _MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Any, value: Any) -> None:
        """Store a result."""
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)
