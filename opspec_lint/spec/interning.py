"""A cache that builds equal objects once: most arguments are equal in many ops, and in both specs of a comparison."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    _T = TypeVar("_T")

_MOST_OBJECTS = 10_000
"""The most objects in the cache."""
_objects: dict[tuple[Hashable, str, bytes], Any] = {}


def intern_object(make: Callable[[str, dict[str, Any]], _T], key: Hashable, name: str, record: dict[str, Any]) -> _T:
    """Return `make(name, record)`, as the same object for the same key and name and an equal record.

    `key` identifies all other inputs of `make`.
    """
    # Marshal bytes are hashable, and distinguish 1, 1.0 and true, which are equal under `==`.
    identity = (key, name, marshal.dumps(record, 2))
    if identity not in _objects:
        if len(_objects) >= _MOST_OBJECTS:
            # Clearing everything is cheaper than tracking which objects were used last, and costs only identity.
            _objects.clear()
        _objects[identity] = make(name, record)
    result: _T = _objects[identity]
    return result
