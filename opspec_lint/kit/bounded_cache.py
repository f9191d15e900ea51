"""A cache of results with a limited number of entries."""

from __future__ import annotations

from typing import Any

_MOST = 20_000


class BoundedCache(dict["Any", "Any"]):
    """Results by their inputs. A full cache is cleared: the results that are still needed soon return."""

    def __setitem__(self, key: Any, value: Any) -> None:
        """Store a result."""
        if len(self) >= _MOST:
            self.clear()
        super().__setitem__(key, value)
