"""How a nested value changed, path by path."""

from __future__ import annotations

import json

from deepdiff import DeepDiff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_ALIGNED = 500
_COMPARED = 10_000
"""Items of both values together. Aligning lists takes the square of their length, comparing item by item does not."""


def paths(old: Any, new: Any) -> list[str]:
    """Return one line for each place at which two nested values differ, such as `[2][0]: 1 -> 3`."""
    items = _count(old) + _count(new)
    if items > _COMPARED:
        return [f"{len(old)} items became {len(new)}; too many to compare one by one"]
    # Aligning the items of a list, DeepDiff takes 1 for True; that is only worth it where items came or went.
    one_by_one = _lengths(old) == _lengths(new) or items > _ALIGNED
    tree = DeepDiff(old, new, view="tree", ignore_nan_inequality=True, zip_ordered_iterables=one_by_one)
    changes = [change for kind in tree.values() for change in kind]
    return sorted(f"{change.path(root='')}: {_show(change.t1)} -> {_show(change.t2)}" for change in changes)


def _lengths(value: Any) -> Any:
    """Return how many items the lists of a value have, those in mappings included."""
    if isinstance(value, dict):
        return {key: _lengths(item) for key, item in value.items()}
    return len(value) if isinstance(value, list) else 0


def _count(value: Any) -> int:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, items))


def _show(value: Any) -> str:
    return "nothing" if type(value).__name__ == "NotPresent" else json.dumps(value, ensure_ascii=False)
