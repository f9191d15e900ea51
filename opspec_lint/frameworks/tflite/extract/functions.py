"""Function definitions in the C++ of TFLite, and line numbers of matches."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_HEAD = pattern(r"([ ]*)(?!return\b|else\b|case\b)\w[\w:<>&*, ]*[ &*]")
"""The text before the name of a defined function: the indentation of its line, and the return type."""


def with_lines(text: str, matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield matches, which are in the order of the text, each with its line number."""
    line, at = 1, 0
    for match in matches:
        # Counted from the last match on: counting from the start for each match would be quadratic.
        line += text.count("\n", at, match.start())
        at = match.start()
        yield line, match


def line_of(text: str, offset: int) -> int:
    """Return the line number of an offset in a text."""
    return text.count("\n", 0, offset) + 1


def find_function(text: str, name: str) -> tuple[int, str] | None:
    """Return the offset of the definition of a function, and its text without comments; None if there is none.

    The end is the first closing brace with the indentation of the function, as clang-format writes these files.
    """
    at = text.find(f"{name}(")
    while at >= 0:
        begin = text.rfind("\n", 0, at) + 1
        head = _HEAD.fullmatch(text, begin, at)
        opening = text.find("{", at)
        # A `;` before the brace ends a declaration or a call, and the brace belongs to other code.
        if head is not None and opening >= 0 and ";" not in text[at:opening]:
            closing_line = f"\n{head[1]}}}"
            closing = text.find(closing_line, opening)
            end = len(text) if closing < 0 else closing + len(closing_line)
            return begin, without_comments(text[begin:end])
        at = text.find(f"{name}(", at + 1)
    return None
