"""Records as plain data, which marshal reads a hundred times as fast as objects, and back.

A packed record is a tuple of its fields behind an ellipsis, which no other value holds, and the number of its class.
"""

from __future__ import annotations

from operator import itemgetter

from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.values import NAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from opspec_lint.kit.record import Record

_HEAD = 2
_SCALARS = frozenset({str, int, bool, type(None)})


class Packing:
    """Packs the records of some classes, wherever they are in lists, tuples and mappings.

    Args:
        kinds: the classes.
        late: those of which records stay packed until `opened` is called, as most of them are never needed.
    """

    def __init__(self, *kinds: type[Record], late: tuple[type[Record], ...] = ()) -> None:
        self._kinds = [(kind, tuple(kind._fields), kind in late) for kind in kinds]
        self._numbers = {kind: number for number, kind in enumerate(kinds)}

    def packed(self, value: Any) -> Any:
        """A value as plain data; what is packed already stays as it is."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is tuple and value and value[0] is ...:
            return value
        if kind in self._numbers:
            return (..., self._numbers[kind], *self._each_packed(value.__dict__.values()))
        if kind is dict:
            return dict(zip(self._each_packed(value), self._each_packed(value.values()), strict=True))
        if isinstance(value, (tuple, list)):
            return tuple(self._each_packed(value))
        if isinstance(value, dict):
            return self.packed(dict(value))
        if value is UNKNOWN:
            return ...
        return str(value) if isinstance(value, str) else value

    def _each_packed(self, values: Iterable[Any]) -> list[Any]:
        return [each if type(each) in _SCALARS else self.packed(each) for each in values]

    def unpacked(self, value: Any) -> Any:
        """The value of plain data that `packed` returned, but for the late records in it."""
        kind = type(value)
        if kind is tuple:
            if not value or value[0] is not ...:
                return tuple(self._each_unpacked(value))
            return value if self._kinds[value[1]][2] else self.opened(value)
        if kind is dict:
            return dict(zip(value, self._each_unpacked(value.values()), strict=True))
        if value is ...:
            return UNKNOWN
        return value if value == value else NAN

    def _each_unpacked(self, values: Iterable[Any]) -> list[Any]:
        return [each if type(each) in _SCALARS else self.unpacked(each) for each in values]

    def opened(self, value: tuple[Any, ...]) -> Any:
        """The record of a packed one, a late one too."""
        kind, fields, _ = self._kinds[value[1]]
        return kind(**dict(zip(fields, self._each_unpacked(value[_HEAD:]), strict=True)))

    def plain(self, value: tuple[Any, ...]) -> Any:
        """The record of a packed one that has plain data alone: what is in its fields is not looked through."""
        kind, fields, _ = self._kinds[value[1]]
        return kind(**dict(zip(fields, value[_HEAD:], strict=True)))


def getter(kind: type[Record], *fields: str) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """A function that returns some fields, as they are packed, of a packed record of a class."""
    return itemgetter(*(position(kind, field) for field in fields))


def position(kind: type[Record], field: str) -> int:
    """The position of a field in the packed records of a class."""
    return _HEAD + [*kind._fields].index(field)
