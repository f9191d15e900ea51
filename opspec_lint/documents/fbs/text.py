"""The text of a schema: decoded, with comments blanked, and lines of offsets."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.documents.decode import text_of
from opspec_lint.documents.fbs.strings import STRING
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# The last alternative is the beginning of a comment that does not end.
_COMMENT = pattern(rf"{STRING}|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|(/\*)", "s")
_BLOCK = pattern(r"/\*.*?\*/")
_NOT_NEWLINE = pattern(r"[^\n]")
_SHOWN = 40
"""Characters of an unexpected text in a message."""
_SPACE = pattern(r"\s*")


class Text:
    """The text of one file of a schema.

    Args:
        data: its bytes.
        file: what messages call it.
        path: its path, for origins; `file` unless it is given.

    Raises:
        InputError: the bytes are no text or too many, or a comment does not end.
    """

    def __init__(self, data: bytes, file: str, path: str | None = None) -> None:
        self.file = file
        self.path = file if path is None else path
        self._lines: list[int] = []
        if len(data) > MAX_SOURCE:
            problem = f"is larger than {MAX_SOURCE >> 20} MiB, the limit for a FlatBuffers schema"
            raise InputError(file, problem, where="line 1", advice="check that it is the right file")
        self.original = _decode(data, file)
        self.blank = _COMMENT.sub(self._blank_out, self.original)
        """The text without its comments, everything else at the same place."""

    def line(self, at: int) -> int:
        """Return the line of a place, counted from 1."""
        if not self._lines:
            self._lines = [0, *(match.end() for match in re.finditer("\n", self.original))]
        return bisect_right(self._lines, at)

    def origin(self, at: int) -> Origin:
        """Return a place in the form of a spec."""
        return Origin(file=self.path, line=self.line(at))

    def refuse(self, at: int, problem: str, advice: str = "write a schema that flatc compiles") -> NoReturn:
        """Raise an InputError about a place."""
        raise InputError(self.file, problem, where=f"line {self.line(at)}", advice=advice)

    def unexpected(self, at: int, expected: str) -> NoReturn:
        """Raise an InputError for an unexpected text at a place."""
        space = _SPACE.match(self.blank, at)
        at = space.end() if space else at
        actual = self.blank[at : at + _SHOWN].partition("\n")[0].rstrip()
        shown = f"found {actual!r}" if actual else "the text ends"
        # At the end of the text, the last line that is not empty is more helpful than the one after it.
        self.refuse(min(at, max(len(self.blank.rstrip()) - 1, 0)), f"expected {expected}, {shown}")

    def _blank_out(self, match: re.Match[str]) -> str:
        """Return a comment as blanks with the same line breaks, and a string as it is."""
        text = match[0]
        # The pattern matches strings too, so that a `//` in a string begins no comment.
        if text[0] in "\"'":
            return text
        if match[1]:
            self.refuse(match.start(), "a comment begins with /* and is not closed")
        if text.startswith("///"):
            self._check_documentation(match.start())
        return " " * len(text) if text[1] == "/" else _NOT_NEWLINE.sub(" ", text)

    def _check_documentation(self, at: int) -> None:
        """Raise an error unless a comment with three slashes has its own line."""
        before = self.original[self.original.rfind("\n", 0, at) + 1 : at]
        if _BLOCK.sub("", before).rpartition("*/")[2].strip():
            problem = "a documentation comment (///) must stand on a line of its own"
            self.refuse(at, problem, "begin it with two slashes, or move it above what it documents")


def _decode(data: bytes, file: str) -> str:
    try:
        return text_of(data, file)
    except InputError as error:
        advice = "expected a FlatBuffers schema in UTF-8"
        raise InputError(file, error.problem, where=f"line {_line_of_fault(data)}", advice=advice) from None


def _line_of_fault(data: bytes) -> int:
    """Return the line of the first byte that is no text."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return data.count(b"\n", 0, max(data.find(b"\0"), 0)) + 1
