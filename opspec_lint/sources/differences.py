"""Differences between two versions of a cached value, which are stored in place of the newer version.

A value is a mapping of mappings, lists and other objects. An item that is the identical object counts as unchanged.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Value: TypeAlias = Mapping[str, Any]
    Difference: TypeAlias = dict[str, tuple[Any, ...]]
    """For each key, either the new value alone, or the items that were set and the keys that were removed."""

_NOTHING = object()


def snapshot(value: Value) -> Value:
    """Return a copy of a value, which does not see later changes of its mappings and lists."""
    return {key: item.copy() if type(item) in (dict, list) else item for key, item in value.items()}


def difference(old: Value, new: Value) -> Difference:
    """Return the difference between two values, from which `apply` makes the new one."""
    return {key: _difference(old.get(key), item) for key, item in new.items()}


def apply(old: Value, changes: Difference) -> dict[str, Any]:
    """Return the new value, from the old one and the difference."""
    return {
        key: difference[0] if len(difference) == 1 else _apply(old[key], *difference)
        for key, difference in changes.items()
    }


def _difference(old: Any, new: Any) -> tuple[Any, ...]:
    if type(new) is dict and type(old) is dict:
        return {k: item for k, item in new.items() if old.get(k, _NOTHING) is not item}, [*old.keys() - new.keys()]
    if type(new) is list and type(old) is list and len(new) >= len(old):
        same = [before is after for before, after in zip(old, new, strict=False)]
        return {at: item for at, item in enumerate(new) if at >= len(same) or not same[at]}, []
    return (new,)


def _apply(old: Any, put: dict[Any, Any], gone: list[Any]) -> Any:
    if type(old) is dict:
        return {key: item for key, item in (old | put).items() if key not in gone}
    kept = [put.get(at, item) for at, item in enumerate(old)]
    return kept + [item for at, item in put.items() if at >= len(old)]
