"""Functions in the C++ of TFLite, and the lines of matches."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_HEAD = pattern(r"([ ]*)(?!return\b|else\b|case\b)\w[\w:<>&*, ]*[ &*]")
"""What stands before the name of a function that is defined: where its line begins, and its type."""


def numbered(text: str, found: Iterable[re.Match[str]]) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield matches, which come in their order in a text, each with the line that it begins in."""
    line, at = 1, 0
    for each in found:
        line += text.count("\n", at, each.start())
        at = each.start()
        yield line, each


def line_of(text: str, offset: int) -> int:
    """Return the line of a place in a text."""
    return text.count("\n", 0, offset) + 1


def function(text: str, name: str) -> tuple[int, str] | None:
    """Return the definition of a function: where it begins in the text, and the function without comments.

    It ends with the first brace that stands where its line begins, as all of these files are formatted.
    """
    at = text.find(f"{name}(")
    while at >= 0:
        begin = text.rfind("\n", 0, at) + 1
        head = _HEAD.fullmatch(text, begin, at)
        opening = text.find("{", at)
        if head is not None and opening >= 0 and ";" not in text[at:opening]:
            end = text.find(f"\n{head[1]}}}", opening)
            return begin, without_comments(text[begin : len(text) if end < 0 else end + len(head[1]) + 2])
        at = text.find(f"{name}(", at + 1)
    return None
