"""Writes the files of a command, each whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.kit import whole_file
from opspec_lint.kit.errors import OpspecError, UsageError

_PREFIX = ".opspec-lint-"


def write(path: str, text: str | bytes, *, makes_folder: bool = False) -> None:
    """Replace a file with a text, or with bytes, atomically, so that no half-written file replaces an old one.

    A path that is not a regular file (a pipe, a device) is written to directly, and so is another name of our standard
    output or error (`/dev/stdout`).

    Args:
        path: the file.
        text: its text, or its bytes.
        makes_folder: whether the folder of a new file is made where it is missing.

    Raises:
        OpspecError: the text cannot be written; the old file is untouched.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    try:
        own = _own_stream(path)
        if own is not None or (os.path.exists(path) and not os.path.isfile(path)):
            with open(path if own is None else os.dup(own), "wb") as stream:
                stream.write(data)
        else:
            if makes_folder:
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            path = os.path.realpath(path)
            whole_file.write(path, data, prefix=_PREFIX, mode=_mode(path))
    except OSError as error:
        raise OpspecError(f"{path}: cannot be written: {error.strerror}", advice="the file is unchanged") from None


def create(path: str, text: str) -> None:
    """Create a file with a text, and the folders that it needs; an existing file is never replaced.

    Raises:
        UsageError: there is something of that name.
        OpspecError: the file cannot be made.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        whole_file.write(path, data, prefix=_PREFIX, mode=_mode(path), place=os.link)  # fails where the name is taken
    except FileExistsError:
        raise UsageError(f"{path}: already exists", advice="it is unchanged; move it, or write elsewhere") from None
    except OSError as error:
        raise OpspecError(f"{path}: cannot be created: {error.strerror}", advice="check the folder") from None


def _own_stream(path: str) -> int | None:
    """Return 1 or 2 if a path is another name of our standard output or error."""
    if os.path.exists(path):
        for number in (1, 2):
            with suppress(OSError):
                if os.path.samestat(os.stat(path), os.fstat(number)):
                    return number
    return None


def _mode(path: str) -> int:
    """Return the mode of the file that is replaced, or that of a new one."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
