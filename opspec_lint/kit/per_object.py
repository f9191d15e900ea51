"""A store of values for objects that are in use: each value is dropped with its object."""

from __future__ import annotations

from weakref import ref

from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _K = TypeVar("_K")
    _V = TypeVar("_V")
else:
    _K = _V = None


class PerObject(Generic[_K, _V]):
    """Values by the identity of an object. A `WeakKeyDictionary` would hash a record by its content, all its bytes."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[ref[_K], _V]] = {}

    def get(self, owner: _K) -> _V | None:
        """Return the value of an object, None if it has none."""
        owner_ref, value = self._values.get(id(owner), (None, None))
        return value if owner_ref is not None and owner_ref() is owner else None

    def set(self, owner: _K, value: _V) -> None:
        """Keep a value for as long as its object is in use."""
        key = id(owner)
        self._values[key] = ref(owner, lambda _: self._values.pop(key, None)), value
