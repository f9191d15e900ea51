"""A mapping whose values are made from records on first access."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    _V = TypeVar("_V")


class LazyMapping(Mapping[str, "_V"]):
    """The values of records, by name.

    Args:
        records: the records.
        make: makes the value from a name and its record.
    """

    __slots__ = ("_made", "_make", "_records")

    def __init__(self, records: Mapping[str, Any], make: Callable[[str, Any], _V]) -> None:
        self._records = records
        self._make = make
        self._made: dict[str, _V] = {}

    def __getitem__(self, name: str) -> _V:
        if name not in self._made:
            self._made[name] = self._make(name, self._records[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)
