"""A text that is parsed from its beginning, as `Scanner` and `StringPiece` of TensorFlow do."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

SPACE = r"[ \t\n\v\f\r]*"
_SPACE = pattern(SPACE)


class Cursor:
    """A position in a text.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def rest(self) -> str:
        """The text from the position on."""
        return self._text[self._at :]

    def take(self, prefix: str) -> bool:
        """Move behind a prefix of the rest, and return whether the rest begins with it."""
        if not self._text.startswith(prefix, self._at):
            return False
        self._at += len(prefix)
        return True

    def take_match(self, regex: re.Pattern[str]) -> str | None:
        """Move behind the match of a pattern, and return its first group; None where it does not match."""
        match = regex.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        captured: str = match[1]
        return captured

    def skip_space(self) -> None:
        """Move behind white space."""
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at
