"""Results by what they depend on, as many as there is room for."""

from __future__ import annotations

from typing import Any

_MOST = 20_000


class Remembered(dict["Any", "Any"]):
    """Results by what they depend on. When there are too many, all are forgotten: what still counts comes back."""

    def __setitem__(self, key: Any, value: Any) -> None:
        """Remember a result."""
        if len(self) >= _MOST:
            self.clear()
        super().__setitem__(key, value)
