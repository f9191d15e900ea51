"""The words of a C++ statement that say what belongs to it: brackets, semicolons and names of methods.

A string or a comment is one word, so that what stands in it is none.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(
    r'"(?:\\.|[^"\\\n])*"|R"([^()\\\s]{0,16})\(.*?\)\1"|//[^\n]*|/\*.*?\*/|[();]|\.\s*[A-Za-z_]\w*', re.DOTALL
)


def words_from(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the words of a text from an offset on; a name of a method begins with its point."""
    return _WORD.finditer(text, start)
