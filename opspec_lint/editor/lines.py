"""Positions in files, in the units in which the editor counts columns."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.editor.messages import Range

_LONGEST = 100
"""Characters of a range: a JSON file may have a single line."""
_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


class Lines:
    """The lines of the files of one side; each file is read once.

    Args:
        read: returns the bytes of a file, None for one that does not exist.
        encoding: the units of columns.
    """

    def __init__(self, read: Callable[[str], bytes | None], encoding: str) -> None:
        self._read = read
        self._encoding = encoding
        self._known: dict[str, list[str]] = {}

    def range_at(self, path: str, line: int, column: int) -> Range:
        """Return the range from a position to the end of its line, but not far; line and column count from 1."""
        text = self._line(path, line).rstrip()
        start = min(column - 1, len(text))
        end = min(len(text), start + _LONGEST)
        return line - 1, self.units(text[:start]), line - 1, self.units(text[:end])

    def position(self, path: str, line: int, column: int) -> tuple[int, int]:
        """Return a position of a file; line and column count from 1."""
        return line - 1, self.units(self._line(path, line)[: column - 1])

    def units(self, text: str) -> int:
        """Return the length of a text in the units of columns."""
        if text.isascii():
            return len(text)
        # With a byte order: plain `utf-16` of Python adds a byte order mark, which would count as a unit.
        kind = self._encoding if self._encoding == "utf-8" else f"{self._encoding}-le"
        return len(text.encode(kind, "surrogatepass")) // _BYTES[self._encoding]

    def lacks(self, path: str) -> bool:
        """Return whether there is no such file."""
        return not self._lines(path)

    def _line(self, path: str, line: int) -> str:
        """Return a line, counted from 1; "" behind the end of the file."""
        lines = self._lines(path)
        return lines[line - 1] if line <= len(lines) else ""

    def _lines(self, path: str) -> list[str]:
        """Return the lines of a file, empty for one that does not exist."""
        if path not in self._known:
            data = self._read(path)
            text = "" if data is None else data.decode("utf-8", "replace").removeprefix("\ufeff")
            self._known[path] = [] if data is None else text.split("\n")
        return self._known[path]
