"""Patterns of paths: `*` and `?` match within a folder, `**` across folders."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_WILDCARDS = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
"""The wildcards of patterns, each with its regular expression."""


def regular_expression(pattern: str, literal: Callable[[str], str]) -> str:
    """Return a regular expression for a pattern; `literal` returns the one for plain text."""
    return "".join(_WILDCARDS.get(part) or literal(part) for part in _parts(pattern))


@cache
def _parts(pattern: str) -> list[str]:
    return [part for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern) if part]


def matches(pattern: str, path: str) -> bool:
    """Return whether a path matches a pattern. Runs in polynomial time for any pattern, unlike a regular expression."""
    reached = [0]
    for part in _parts(pattern):
        reached = sorted(set(_steps(part, path, reached)))
        if not reached:
            return False
    return reached[-1] == len(path)


def _steps(part: str, path: str, reached: Sequence[int]) -> Iterator[int]:
    """Yield the positions in a path after a part of a pattern that starts at one of the sorted positions `reached`."""
    if part == "**":
        yield from range(reached[0], len(path) + 1)
    elif part == "**/":
        yield from reached
        yield from (at + 1 for at in range(reached[0], len(path)) if path[at] == "/")
    elif part == "*":
        # Each "*" scans a stretch between two slashes once: later starting points in it lead to the same positions.
        covered = -1
        for at in reached:
            if at > covered:
                end = path.find("/", at)
                covered = len(path) if end < 0 else end
                yield from range(at, covered + 1)
    elif part == "?":
        yield from (at + 1 for at in reached if at < len(path) and path[at] != "/")
    else:
        yield from (at + len(part) for at in reached if path.startswith(part, at))
