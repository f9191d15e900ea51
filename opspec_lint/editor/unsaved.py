"""Which texts of an editor stand for files on the disk, and which cannot."""

from __future__ import annotations

import os

from opspec_lint.editor.messages import Place, Problem
from opspec_lint.kit.text import is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MARK = b"\xef\xbb\xbf"


def unsaved(documents: Mapping[str, str]) -> tuple[dict[str, bytes], list[Problem]]:
    """Return the bytes that stand for those of files, by real path; and why unsaved texts of others are not read.

    Args:
        documents: the texts that are open, by the path of the file.
    """
    found: dict[str, bytes] = {}
    problems = []
    for path, text in documents.items():
        data = _bytes(path)
        if data is None:
            problems.append(_not_read(path, "the file does not exist yet, or cannot be read"))
        elif not is_utf8(data):
            problems.append(_not_read(path, "the file is not in UTF-8"))
        elif text != data.removeprefix(_MARK).decode():
            mark = _MARK if data.startswith(_MARK) else b""
            found[os.path.realpath(path)] = mark + text.encode("utf-8", "replace")
    return found, problems


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _not_read(path: str, reason: str) -> Problem:
    text = f"what is not saved of this file is not read: {reason}; save it, and it is checked"
    return Problem(text=text, place=Place(path=path, range=(0, 0, 0, 0)), is_error=False)
