"""The differences between two nested values, path by path."""

from __future__ import annotations

import json

from deepdiff import DeepDiff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_ALIGNED = 500
_COMPARED = 10_000
"""Limits on the items of both values together: up to the first, lists are aligned, which takes quadratic time; up to
the second, they are compared item by item."""


def paths(old: Any, new: Any) -> list[str]:
    """Return a line for each difference between two nested values, such as `[2][0]: 1 -> 3`.

    Sorted lists of names are compared as sets: each added or removed name is a line, without an index.
    """
    if isinstance(old, dict) and isinstance(new, dict) and all(map(_is_set, (*old.values(), *new.values()))):
        return [
            line
            for key in sorted({*old, *new})
            for line in _set_changes(f"[{key!r}]", old.get(key, []), new.get(key, []))
        ]
    items = _count(old) + _count(new)
    if items > _COMPARED:
        return [f"{len(old)} items became {len(new)}; too many to compare one by one"]
    # An alignment of lists takes True for 1 (DeepDiff hashes items), so it is used only if items came or went.
    pairwise = _lengths(old) == _lengths(new) or items > _ALIGNED
    tree = DeepDiff(old, new, view="tree", ignore_nan_inequality=True, zip_ordered_iterables=pairwise)
    changes = [change for kind in tree.values() for change in kind]
    return sorted(f"{change.path(root='')}: {_show(change.t1)} -> {_show(change.t2)}" for change in changes)


def _is_set(value: Any) -> bool:
    """Return whether a value is a sorted list of distinct strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value) and sorted(set(value)) == value


def _set_changes(place: str, old: list[str], new: list[str]) -> list[str]:
    """Return a line per removed name, then per added name."""
    lost = [f"{place}: {_show(name)} -> nothing" for name in old if name not in new]
    return lost + [f"{place}: nothing -> {_show(name)}" for name in new if name not in old]


def _lengths(value: Any) -> Any:
    """Return the length of a list; for a mapping, the lengths of its values by key; 0 for others."""
    if isinstance(value, dict):
        return {key: _lengths(item) for key, item in value.items()}
    return len(value) if isinstance(value, list) else 0


def _count(value: Any) -> int:
    """Return the number of values in a nested value, itself included."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, items))


def _show(value: Any) -> str:
    """Return a value as JSON, "nothing" if a side lacks it."""
    # DeepDiff does not export the class of its marker for a missing side.
    return "nothing" if type(value).__name__ == "NotPresent" else json.dumps(value, ensure_ascii=False)
