"""What changed in a value that was kept: only that is kept of the next one.

The values are mappings of mappings, lists and others. What is the very object that it was has not changed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Value: TypeAlias = Mapping[str, Any]
    Difference: TypeAlias = dict[str, tuple[Any, ...]]
    """Of each entry, what was put into it and the keys that are gone; or the one value that it has now."""

_NOTHING = object()


def snapshot(value: Value) -> Value:
    """A copy of a value as it is now: what is put into its mappings and lists later is not in the copy."""
    return {key: each.copy() if type(each) in (dict, list) else each for key, each in value.items()}


def difference(old: Value, new: Value) -> Difference:
    """What makes a value of an older one (`changed`)."""
    return {key: _difference(old.get(key), each) for key, each in new.items()}


def changed(old: Value, changes: Difference) -> dict[str, Any]:
    """The value that the difference to an older one was made of."""
    return {key: each[0] if len(each) == 1 else _changed(old[key], *each) for key, each in changes.items()}


def _difference(old: Any, new: Any) -> tuple[Any, ...]:
    if type(new) is dict and type(old) is dict:
        return {k: each for k, each in new.items() if old.get(k, _NOTHING) is not each}, [*old.keys() - new.keys()]
    if type(new) is list and type(old) is list and len(new) >= len(old):
        same = [before is after for before, after in zip(old, new, strict=False)]
        return {at: each for at, each in enumerate(new) if at >= len(same) or not same[at]}, []
    return (new,)


def _changed(old: Any, put: dict[Any, Any], gone: list[Any]) -> Any:
    if type(old) is dict:
        return {key: each for key, each in (old | put).items() if key not in gone}
    kept = [put.get(at, each) for at, each in enumerate(old)]
    return kept + [each for at, each in put.items() if at >= len(old)]
