"""Patterns of paths: `*` and `?` within a folder, `**` across folders."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_WILDCARDS = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
"""What a pattern has besides plain text, each with the regular expression of what it stands for."""


def regular_expression(pattern: str, literal: Callable[[str], str]) -> str:
    """Return the regular expression of the paths that match a pattern.

    Args:
        pattern: the pattern.
        literal: returns the regular expression of a plain text.
    """
    return "".join(_WILDCARDS.get(part) or literal(part) for part in _parts(pattern))


@cache
def _parts(pattern: str) -> list[str]:
    return [part for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern) if part]


def matches(pattern: str, path: str) -> bool:
    """Tell whether a path matches a pattern, in time that no pattern makes long, as a regular expression could."""
    reached = [0]
    for part in _parts(pattern):
        reached = sorted(set(_steps(part, path, reached)))
        if not reached:
            return False
    return reached[-1] == len(path)


def _steps(part: str, path: str, reached: Sequence[int]) -> Iterator[int]:
    """Yield the places in a path to which a part of a pattern leads from some places, which are in order."""
    if part == "**":
        yield from range(reached[0], len(path) + 1)
    elif part == "**/":
        yield from reached
        yield from (at + 1 for at in range(reached[0], len(path)) if path[at] == "/")
    elif part == "*":
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
