"""The differences between two nested values, path by path."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


_ALIGNED = 500
_COMPARED = 10_000
"""Limits on the items of both values together: up to the first, lists are aligned, which takes quadratic time; up to
the second, they are compared item by item."""
_NOTHING = "nothing"


class _ItemPair(NamedTuple):
    """The items of two lists at a position, each as a list of one; an empty list where a list has none."""

    position: int
    old: list[Any]
    new: list[Any]


def paths(old: Any, new: Any) -> list[str]:
    """Return a line for each difference between two nested values, such as `[2][0]: 1 -> 3`.

    Sorted lists of names are compared as sets: each added or removed name is a line, without an index. If a list grew
    or shrank, only the inserted and removed items are lines, and not each item behind them; the index of an inserted
    item is its index in `new`, any other index refers to `old`.
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
    # Importing DeepDiff takes as long as a whole check of two specs, and most values have one level.
    if (_is_flat(old) and _is_flat(new)) or _shape(old) != _shape(new):
        return list(_changes("", old, new, aligns=items <= _ALIGNED))
    from deepdiff import DeepDiff

    tree = DeepDiff(old, new, view="tree", ignore_nan_inequality=True, zip_ordered_iterables=True)
    changes = [change for kind in tree.values() for change in kind]
    return sorted(f"{change.path(root='')}: {_show(change.t1)} -> {_show(change.t2)}" for change in changes)


def _changes(place: str, old: Any, new: Any, *, aligns: bool) -> Iterator[str]:
    """Yield a line for each difference between two values at a place.

    Items of lists of different length are aligned if `aligns`, other items are paired by position.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            old_items = [old[key]] if key in old else []
            new_items = [new[key]] if key in new else []
            yield from _item_changes(f"{place}[{key!r}]", old_items, new_items, aligns=aligns)
    elif isinstance(old, list) and isinstance(new, list):
        pairs = _aligned(old, new) if aligns and len(old) != len(new) else _by_position(old, new)
        for pair in pairs:
            yield from _item_changes(f"{place}[{pair.position}]", pair.old, pair.new, aligns=aligns)
    elif _show(old) != _show(new):
        yield _line(place, _show(old), _show(new))


def _item_changes(place: str, old: list[Any], new: list[Any], *, aligns: bool) -> Iterator[str]:
    """Yield a line for each difference between two items, each a list of one, or empty if its side has no such item."""
    if old and new:
        yield from _changes(place, old[0], new[0], aligns=aligns)
    else:
        yield _line(place, _show(old[0]) if old else _NOTHING, _show(new[0]) if new else _NOTHING)


def _by_position(old: list[Any], new: list[Any]) -> Iterator[_ItemPair]:
    """Yield the items of two lists by their index."""
    for index, (before, after) in enumerate(zip_longest(([item] for item in old), ([item] for item in new))):
        yield _ItemPair(index, before or [], after or [])


def _aligned(old: list[Any], new: list[Any]) -> Iterator[_ItemPair]:
    """Yield the items that differ between two lists, as one would insert and remove them.

    Items between the same neighbours are paired; the index refers to `old`, or to `new` for an inserted item.
    """
    from difflib import SequenceMatcher

    old_texts = [json.dumps(item, sort_keys=True) for item in old]
    new_texts = [json.dumps(item, sort_keys=True) for item in new]
    # SequenceMatcher starts from the longest equal run, which may be elsewhere: where all items but one are equal, it
    # would report more than this one. So the equal items at both ends are left out.
    head = _common_length(old_texts, new_texts)
    old_texts, new_texts = old_texts[head:], new_texts[head:]
    tail = _common_length(old_texts[::-1], new_texts[::-1])
    old_texts, new_texts = old_texts[: len(old_texts) - tail], new_texts[: len(new_texts) - tail]
    for kind, *bounds in SequenceMatcher(None, old_texts, new_texts, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        begin, end, new_begin, new_end = (head + bound for bound in bounds)
        for pair in _by_position(old[begin:end], new[new_begin:new_end]):
            yield pair._replace(position=(begin if pair.old else new_begin) + pair.position)


def _common_length(first: list[str], second: list[str]) -> int:
    """Return the number of items that are equal at the beginning of two lists."""
    different = (index for index, (left, right) in enumerate(zip(first, second, strict=False)) if left != right)
    return next(different, min(len(first), len(second)))


def _line(place: str, old: str, new: str) -> str:
    return f"{place}: {old} -> {new}"


def _is_flat(value: Any) -> bool:
    """Return whether a value contains neither lists nor mappings."""
    items = value.values() if isinstance(value, dict) else value
    return not any(isinstance(item, (list, dict)) for item in items)


def _shape(value: Any) -> Any:
    """Return the lengths of all lists, and the keys of all mappings, in a value."""
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return [_shape(item) for item in value] if isinstance(value, list) else None


def _is_set(value: Any) -> bool:
    """Return whether a value is a sorted list of distinct strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value) and sorted(set(value)) == value


def _set_changes(place: str, old: list[str], new: list[str]) -> list[str]:
    """Return a line per removed name, then per added name."""
    lost = [_line(place, _show(name), _NOTHING) for name in old if name not in new]
    return lost + [_line(place, _NOTHING, _show(name)) for name in new if name not in old]


def _count(value: Any) -> int:
    """Return the number of values in a nested value, itself included."""
    if isinstance(value, dict):
        return 1 + sum(map(_count, value.values()))
    return 1 + sum(map(_count, value)) if isinstance(value, list) else 1


def _show(value: Any) -> str:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False)
