"""Differences between two versions of a cached value, so that a new version can be stored as its changes alone.

A value is a mapping of mappings, lists and other objects, such as the parts of a source tree. The reader of a tree
updates the value of the previous tree in place: it replaces what changed, and keeps all other objects. So an item
counts as unchanged only if it is the identical object, which takes no comparison of contents.

1. `snapshot` copies the old value before it is updated.
2. `difference` lists, for each key, the items that were set and the keys that were removed.
3. `apply` makes the new value from the old one and the difference.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Value: TypeAlias = Mapping[str, Any]
    Difference: TypeAlias = dict[str, tuple[Any, ...]]
    """For each key, either `(new value,)`, or `(items that were set, keys that were removed)`."""

_MISSING = object()


def snapshot(value: Value) -> Value:
    """Return a copy of a value that does not see later changes of its mappings and lists."""
    return {key: item.copy() if type(item) in (dict, list) else item for key, item in value.items()}


def difference(old: Value, new: Value) -> Difference:
    """Return the difference between two values, from which `apply` makes the new one."""
    return {key: _item_difference(old.get(key), item) for key, item in new.items()}


def apply(old: Value, changes: Difference) -> dict[str, Any]:
    """Return the new value, made from the old one and the difference."""
    return {
        key: difference[0] if len(difference) == 1 else _apply_to_item(old[key], *difference)
        for key, difference in changes.items()
    }


def _item_difference(old: Any, new: Any) -> tuple[Any, ...]:
    """Return the difference between two mappings or lists: the new items by key or index, and the removed keys.

    Items are compared by identity. Objects that cannot be compared by item have `(new,)` as their difference.
    """
    if type(new) is dict and type(old) is dict:
        changed = {key: item for key, item in new.items() if old.get(key, _MISSING) is not item}
        return changed, [*old.keys() - new.keys()]
    # A list such as `Parts.table` gets new items at its end, or is made anew and shorter; then it is stored whole.
    if type(new) is list and type(old) is list and len(new) >= len(old):
        return {index: item for index, item in enumerate(new) if index >= len(old) or old[index] is not item}, []
    return (new,)


def _apply_to_item(old: Any, set_items: dict[Any, Any], removed_keys: list[Any]) -> Any:
    """Return a mapping or list with some items set, and some keys of a mapping removed."""
    if type(old) is dict:
        return {key: item for key, item in (old | set_items).items() if key not in removed_keys}
    kept = [set_items.get(at, item) for at, item in enumerate(old)]
    return kept + [item for at, item in set_items.items() if at >= len(old)]
