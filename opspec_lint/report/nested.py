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
    """Return one line for each place at which two nested values differ, such as `[2][0]: 1 -> 3`.

    Lists that are sorted names are compared as sets: each name that came or went is a line, without its index.
    """
    if isinstance(old, dict) and isinstance(new, dict) and all(map(_is_set, (*old.values(), *new.values()))):
        return [
            line for key in sorted({*old, *new}) for line in _named(f"[{key!r}]", old.get(key, []), new.get(key, []))
        ]
    items = _count(old) + _count(new)
    if items > _COMPARED:
        return [f"{len(old)} items became {len(new)}; too many to compare one by one"]
    # Aligning the items of a list, DeepDiff takes 1 for True; that is only worth it where items came or went.
    one_by_one = _lengths(old) == _lengths(new) or items > _ALIGNED
    tree = DeepDiff(old, new, view="tree", ignore_nan_inequality=True, zip_ordered_iterables=one_by_one)
    changes = [change for kind in tree.values() for change in kind]
    return sorted(f"{change.path(root='')}: {_show(change.t1)} -> {_show(change.t2)}" for change in changes)


def _is_set(value: Any) -> bool:
    """Tell whether a value is a list of names in their order, each once."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value) and sorted(set(value)) == value


def _named(place: str, old: list[str], new: list[str]) -> list[str]:
    lost = [f"{place}: {_show(name)} -> nothing" for name in old if name not in new]
    return lost + [f"{place}: nothing -> {_show(name)}" for name in new if name not in old]


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
