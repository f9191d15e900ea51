"""A text with a position, to parse the strings of op declarations as `Scanner` and `StringPiece` of TensorFlow do."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

SPACE = r"[ \t\n\v\f\r]*"
_SPACE = pattern(SPACE)


class Cursor:
    """A text and the position up to which it was parsed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def rest(self) -> str:
        """The text from the position on."""
        return self._text[self._at :]

    def take(self, prefix: str) -> bool:
        """Consume a prefix of the rest; return False if the rest does not begin with it."""
        if not self._text.startswith(prefix, self._at):
            return False
        self._at += len(prefix)
        return True

    def take_match(self, regex: re.Pattern[str]) -> str | None:
        """Consume the match of a pattern and return its first group; return None if it does not match."""
        match = regex.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        captured: str = match[1]
        return captured

    def require_match(self, regex: re.Pattern[str], problem: str) -> str:
        """Consume the match of a pattern and return its first group; without a match, reject with the problem."""
        captured = self.take_match(regex)
        if captured is None:
            raise RejectedError(problem)
        return captured

    def require_end(self) -> None:
        """Reject the text if something is left."""
        if self.rest:
            raise RejectedError(f"Extra '{self.rest}' unparsed at the end")

    def skip_space(self) -> None:
        """Consume white space."""
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at
