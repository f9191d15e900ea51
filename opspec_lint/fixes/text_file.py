"""Text files, and their edits. Fixers use offsets; an edit has lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Position: TypeAlias = tuple[int, int]
    """A line and a column, both counted from 1; a column counts characters."""

_MARK = "\ufeff"


class Edit(Record):
    """A text that replaces the text between two positions of a file.

    `source` is the file with its content: an edit is never applied to other content.
    """

    source: TextFile
    start: Position
    end: Position
    text: str

    @property
    def file(self) -> str:
        """The path of the file from the top of the repository."""
        return self.source.path


class Change(Record):
    """A text that replaces the text between two offsets of a file."""

    start: int
    end: int
    text: str


class TextFile:
    """A file with its content, its lines, and edits.

    Args:
        path: the path of the file from the top of the repository.
        data: its bytes; None for a file that does not exist.

    Raises:
        UnicodeDecodeError: the bytes are not UTF-8.
    """

    def __init__(self, path: str, data: bytes | None) -> None:
        self.path = path
        self.data = data
        self.whole = (data or b"").decode()
        # The byte order mark stays in the file, but is no column of line 1 for editors.
        self._shift = len(_MARK) if self.whole.startswith(_MARK) else 0
        self.text = self.whole[self._shift :]
        """The text without a byte order mark; offsets count in it."""
        # Only "\n" ends a line, as for git and editors; str.splitlines knows ten more line breaks.
        self._lines = [0, *(match.end() for match in re.finditer("\n", self.whole))]
        self._newline = "\r\n" if "\r\n" in self.whole else "\n"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextFile) and (self.path, self.data) == (other.path, other.data)

    def __hash__(self) -> int:
        return hash(self.path)

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return the edit that replaces the text between two offsets.

        The new text gets the line breaks of the file.
        """
        text = text.replace("\r\n", "\n").replace("\n", self._newline)
        return Edit(source=self, start=self._at(start), end=self._at(end), text=text)

    def replaced(self, text: str) -> Edit:
        """Return the edit that replaces the whole file by a text, without changing its line breaks."""
        return Edit(source=self, start=(1, 1), end=self._at(len(self.text)), text=text)

    def with_edits(self, edits: Iterable[Edit]) -> bytes:
        """Return the bytes of the file after some edits, which do not overlap."""
        parts, last = [], 0
        for change in self.changes(edits):
            parts += [self.whole[last : change.start], change.text]
            last = change.end
        return "".join((*parts, self.whole[last:])).encode()

    def changes(self, edits: Iterable[Edit]) -> list[Change]:
        """Return edits in the order of their places, with offsets in `whole`."""
        ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
        return [Change(start=self._offset(edit.start), end=self._offset(edit.end), text=edit.text) for edit in ordered]

    def line(self, number: int) -> str:
        """Return a line, counted from 1, with its line break."""
        begin = self._lines[number - 1]
        end = self._lines[number] if number < len(self._lines) else None
        return self.whole[begin:end]

    def offset(self, line: int) -> int:
        """Return the offset at which a line begins, counted from 1."""
        return max(self._lines[line - 1] - self._shift, 0)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        line, _ = self._at(offset)
        return line

    def line_start(self, at: int) -> int:
        """Return the offset at which the line of an offset begins."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Return the offset after the line break of the line of an offset; the end of the text if it has none."""
        line_break = self.text.find("\n", at)
        return len(self.text) if line_break < 0 else line_break + 1

    def _at(self, offset: int) -> Position:
        """Return the line and column of an offset in `text`."""
        offset += self._shift
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def _offset(self, position: Position) -> int:
        """Return the offset in `whole` of a line and column."""
        line, column = position
        return self._lines[line - 1] + column - 1
