"""The first lines in which two outputs differ."""

from __future__ import annotations

import difflib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES = 30
_WIDTH = 300
_WINDOW = 200
"""Lines that are compared behind the first difference: the time of difflib grows with their square."""


def difference(old: str, new: str) -> Iterator[str]:
    """Yield the first lines of a unified diff, below the command whose output differs first."""
    before, after = old.split("\n"), new.split("\n")
    same = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    yield next((line for line in reversed(before[: same + 1]) if line.startswith("$ ")), "")
    start = max(0, same - 3)
    lines = difflib.unified_diff(
        before[start : same + _WINDOW], after[start : same + _WINDOW], "old", "new", lineterm=""
    )
    for line, _ in zip(lines, range(_LINES), strict=False):
        yield _clipped(line)


def _clipped(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[:_WIDTH]} ... ({len(line)} characters)"
