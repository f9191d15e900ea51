"""Markdown of GitHub: texts of a spec that make no markup, and a page that keeps to a number of bytes."""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

COMMENT_LIMIT = 65_536
"""Characters of a comment (GitHub refuses more). Bytes of UTF-8 are counted here, which are never fewer."""
COMMENT_ROOM = COMMENT_LIMIT - 1024
"""Bytes left for the report, without the mark and the footer of a comment."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = "\\`*_[]|~$"
_ZERO_WIDTH_SPACE = "&#8203;"
_SPECIAL = pattern(rf"[&<>{re.escape(_MARKUP)}]|[@#:](?=[\w/])|\bGH-(?=\d)|\bwww(?=\.)", "i")


def code(text: str) -> str:
    """Return a text as a code span, whatever backticks it holds (CommonMark 6.1)."""
    text = one_line(text) or " "
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if text.strip() and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def prose(text: str) -> str:
    """Return a text that reads as it is. Where GitHub would make a link of it, a space of no width comes between."""

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        if char in _ENTITIES:
            return _ENTITIES[char]
        return f"\\{char}" if char in _MARKUP else char + _ZERO_WIDTH_SPACE

    return _SPECIAL.sub(escape, one_line(text))


def with_code(text: str, names: Iterable[str | None] = ()) -> str:
    """Return a text whose parts between backticks are code, so that they can be copied, and some names in quotes."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _with_names(text, names)
    told = (code(part) if place % 2 and part else _with_names(part, names) for place, part in enumerate(parts))
    return "".join(told)


def _with_names(text: str, names: Iterable[str | None]) -> str:
    # A spec's names have any length, and re takes a time that is quadratic in it for two with a common beginning.
    quoted = dict.fromkeys(name for name in names if name and f"'{name}'" in text)
    parts = re.split(f"'({'|'.join(map(re.escape, quoted))})'", text) if quoted else [text]
    return "".join(code(part) if place % 2 else prose(part) for place, part in enumerate(parts))


def fenced(lines: Iterable[str], language: str) -> list[str]:
    """Return lines as a block of code, whose fence is longer than any in it."""
    inside = [one_line(line) for line in lines]
    fence = "`" * max(3, 1 + max((len(run) for line in inside for run in re.findall("`+", line)), default=0))
    return [f"{fence}{language}", *inside, fence]


class Page:
    """Lines, up to a number of bytes: from what does not fit on, nothing is added."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._full = False
        self._lines: list[str] = []

    def add(self, lines: Iterable[str]) -> bool:
        """Add all of the lines or none; return whether there was room."""
        block = list(lines)
        self._room -= sum(len(line.encode()) + 1 for line in block)
        self._full = self._full or self._room < 0
        if not self._full:
            self._lines += block
        return not self._full

    def end(self, lines: Iterable[str]) -> None:
        """Add lines that there is always room for."""
        self._lines += lines

    def text(self) -> str:
        """Return all lines."""
        return "\n".join([*self._lines, ""])
