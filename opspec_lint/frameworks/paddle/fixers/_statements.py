"""The words of a C++ statement that say where it ends: brackets and semicolons outside of strings and comments."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r'"(?:\\.|[^"\\\n])*"|R"([^()\\\s]{0,16})\(.*?\)\1"|//[^\n]*|/\*.*?\*/|[();]', re.DOTALL)


def words_from(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the strings, comments, brackets and semicolons of a text from an offset on."""
    return _WORD.finditer(text, start)
