"""JSON values that never change."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class FrozenMapping(Mapping[str, "Any"]):
    """A mapping that never changes: a JSON object."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values))  # values may be any JSON

    def __repr__(self) -> str:
        return repr(self._values)


def frozen(value: Any) -> Any:
    """Return a JSON value that never changes: tuples in place of lists, `FrozenMapping` in place of dicts."""
    if isinstance(value, list | tuple):
        return tuple([frozen(item) for item in value])
    if isinstance(value, dict):
        return FrozenMapping({key: frozen(item) for key, item in value.items()})
    return value
