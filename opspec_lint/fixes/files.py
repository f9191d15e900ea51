"""The files of one side of a comparison, each read once."""

from __future__ import annotations

from opspec_lint.fixes.text_file import TextFile
from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Files:
    """The files of one side, by the paths that the places of findings have.

    Args:
        read: returns the bytes of a file, None for one that does not exist.
        prefix: the folder that the paths start from, from the top of the repository.
        include: the folders in which included files are searched.
    """

    def __init__(self, read: Callable[[str], bytes | None], prefix: str = "", include: tuple[str, ...] = ()) -> None:
        self.read = read
        self.include = include
        self._prefix = prefix
        self._texts: dict[str, TextFile | None] = {}
        self.memory: dict[object, Any] = {}
        """Results about the files that fixers cache, each under its own key."""

    def new(self, path: str) -> TextFile:
        """Return a file that does not exist yet, for an edit that creates it."""
        return TextFile(self._prefix + path, None)

    def text(self, path: str) -> TextFile | None:
        """Return a file, None for one that does not exist, cannot be read, or is not UTF-8."""
        if path not in self._texts:
            try:
                data = self.read(path)
                self._texts[path] = None if data is None else TextFile(self._prefix + path, data)
            # No error: the finding stands without a fix, and the check has reported the file if it needs it.
            except (InputError, UnicodeDecodeError):
                self._texts[path] = None
        return self._texts[path]
