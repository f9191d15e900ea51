"""GitHub Markdown: escaping of texts from specs, and a page of limited size.

The author of a pull request must not get markup, links or mentions from a spec into the comment of the check.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

COMMENT_LIMIT = 65_536
"""Greatest length of a comment in characters, by GitHub. We count bytes of UTF-8, which are never fewer."""
COMMENT_ROOM = COMMENT_LIMIT - 1024
"""Bytes for the report in a comment, without the mark and the footer."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = "\\`*_[]|~$"
_ZERO_WIDTH_SPACE = "&#8203;"
_SPECIAL = pattern(rf"[&<>{re.escape(_MARKUP)}]|[@#:](?=[\w/])|\bGH-(?=\d)|\bwww(?=\.)", "i")


def code(text: str) -> str:
    """Return a text as a code span, also with backticks in it (CommonMark 6.1)."""
    text = one_line(text) or " "
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    # CommonMark 6.1 takes one space off both ends of a code span, unless the span is all spaces.
    pad = " " if text.strip() and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def prose(text: str) -> str:
    """Return a text with markup escaped; zero-width spaces break what GitHub would link (`@name`, `#1`, `www.`)."""

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        if char in _ENTITIES:
            return _ENTITIES[char]
        return f"\\{char}" if char in _MARKUP else char + _ZERO_WIDTH_SPACE

    return _SPECIAL.sub(escape, one_line(text))


def with_code(text: str, names: Iterable[str | None] = ()) -> str:
    """Return a text as Markdown: parts between backticks, and `names` in quotes, become code spans."""
    parts = text.split("`")
    # An odd number of backticks: a name in the text has one, so no part is certainly code.
    if len(parts) % 2 == 0:
        return _with_names(text, names)
    rendered = (code(part) if place % 2 and part else _with_names(part, names) for place, part in enumerate(parts))
    return "".join(rendered)


def _with_names(text: str, names: Iterable[str | None]) -> str:
    """Return a text as Markdown in which `names` in quotes are code spans."""
    # A spec's names have any length, and re takes a time that is quadratic in it for two with a common beginning.
    quoted = dict.fromkeys(name for name in names if name and f"'{name}'" in text)
    parts = re.split(f"'({'|'.join(map(re.escape, quoted))})'", text) if quoted else [text]
    return "".join(code(part) if place % 2 else prose(part) for place, part in enumerate(parts))


def fenced(lines: Iterable[str], language: str) -> list[str]:
    """Return lines as a fenced block of code; its fence is longer than any fence in the lines."""
    inside = [one_line(line) for line in lines]
    fence = "`" * max(3, 1 + max((len(run) for line in inside for run in re.findall("`+", line)), default=0))
    return [f"{fence}{language}", *inside, fence]


class Page:
    """Lines up to a number of bytes. After the first block that does not fit, nothing is added."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._full = False
        self._lines: list[str] = []

    def add(self, lines: Iterable[str]) -> bool:
        """Add all lines or none; return whether they fit."""
        block = list(lines)
        self._room -= sum(len(line.encode()) + 1 for line in block)
        self._full = self._full or self._room < 0
        if not self._full:
            self._lines += block
        return not self._full

    def end(self, lines: Iterable[str]) -> None:
        """Add lines regardless of the limit; the caller has reserved their size."""
        self._lines += lines

    def text(self) -> str:
        """Return all lines."""
        return "\n".join([*self._lines, ""])
