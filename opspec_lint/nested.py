"""How a nested value changed, path by path."""

from __future__ import annotations

import json

from deepdiff import DeepDiff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def paths(old: Any, new: Any) -> list[str]:
    """Return one line for each place at which two nested values differ, such as `[2][0]: 1 -> 3`."""
    # Aligning the items of a list, DeepDiff takes 1 for True; that is only worth it where items came or went.
    aligned = len(old) == len(new)
    tree = DeepDiff(old, new, view="tree", ignore_nan_inequality=True, zip_ordered_iterables=aligned)
    changes = [change for kind in tree.values() for change in kind]
    return sorted(f"{change.path(root='')}: {_show(change.t1)} -> {_show(change.t2)}" for change in changes)


def _show(value: Any) -> str:
    return "nothing" if type(value).__name__ == "NotPresent" else json.dumps(value, ensure_ascii=False)
