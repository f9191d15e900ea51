"""Builds equal objects once: most arguments are the same in many ops, and in both specs of a comparison."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, TypeVar

    _T = TypeVar("_T")

_AT_MOST = 10_000
_made: dict[tuple[Hashable, str, bytes], Any] = {}


def intern_object(make: Callable[[str, dict[str, Any]], _T], key: Hashable, name: str, record: dict[str, Any]) -> _T:
    """Return `make(name, record)`; for the same key and name and an equal record, the same object again.

    `key` identifies everything else that the object depends on. At most 10,000 objects are kept.
    """
    identity = (key, name, marshal.dumps(record, 2))
    if identity not in _made:
        if len(_made) >= _AT_MOST:
            _made.clear()
        _made[identity] = make(name, record)
    made: _T = _made[identity]
    return made
