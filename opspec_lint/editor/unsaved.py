"""Unsaved texts of an editor, in place of the files on the disk."""

from __future__ import annotations

import os

from opspec_lint.editor.messages import FilePlace, ReadProblem
from opspec_lint.kit.text import is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MARK = b"\xef\xbb\xbf"


def unsaved_contents(documents: Mapping[str, str]) -> tuple[dict[str, bytes], list[ReadProblem]]:
    """Return the unsaved content of files, by real path; and the problems of texts that cannot be used.

    Args:
        documents: the texts that are open, by the path of the file.
    """
    contents: dict[str, bytes] = {}
    problems = []
    for path, text in documents.items():
        data = _bytes(path)
        if data is None:
            problems.append(_not_read(path, "the file does not exist yet, or cannot be read"))
        elif not is_utf8(data):
            problems.append(_not_read(path, "the file is not in UTF-8"))
        elif text != data.removeprefix(_MARK).decode():
            # The text of an editor has no byte order mark, which the file keeps when it is saved.
            mark = _MARK if data.startswith(_MARK) else b""
            contents[os.path.realpath(path)] = mark + text.encode("utf-8", "replace")
    return contents, problems


def _bytes(path: str) -> bytes | None:
    """Return the bytes of a file, None if it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _not_read(path: str, reason: str) -> ReadProblem:
    """Return the problem of a file whose unsaved text is ignored."""
    text = f"what is not saved of this file is not read: {reason}; save it, and it is checked"
    return ReadProblem(text=text, place=FilePlace(path=path, range=(0, 0, 0, 0)), is_error=False)
