"""Writes a result where it belongs: whole, or not at all."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.errors import OpspecError, UsageError


def write(path: str, text: str, *, makes_folder: bool = False) -> None:
    """Put a text in place of a file in one step, so that no half-written file ever stands in place of an old one.

    What is no regular file (a pipe, a device) is written to directly, and so is our own standard output or error by
    another name (`/dev/stdout`), wherever it leads.

    Args:
        path: the file.
        text: its text.
        makes_folder: whether the folder of a new file is made where it is missing.

    Raises:
        OpspecError: the text cannot be written; the old file is untouched.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        own = _own_stream(path)
        if own is not None or (os.path.exists(path) and not os.path.isfile(path)):
            with open(path if own is None else os.dup(own), "wb") as stream:
                stream.write(data)
        else:
            if makes_folder:
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            _replace(os.path.realpath(path), data)
    except OSError as error:
        raise OpspecError(f"{path}: cannot be written: {error.strerror}", advice="the file is as it was") from None


def create(path: str, text: str) -> None:
    """Make a file with a text, and the folders that it needs; nothing is ever put in place of what is there.

    Raises:
        UsageError: there is something of that name.
        OpspecError: the file cannot be made.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        _link(path, data)
    except FileExistsError:
        raise UsageError(f"{path}: is there already", advice="it is as it was; move it away, or do without") from None
    except OSError as error:
        raise OpspecError(f"{path}: cannot be made: {error.strerror}", advice="check the folder") from None


def _own_stream(path: str) -> int | None:
    """Return 1 or 2 if a path is another name of our standard output or error."""
    if os.path.exists(path):
        for number in (1, 2):
            with suppress(OSError):
                if os.path.samestat(os.stat(path), os.fstat(number)):
                    return number
    return None


def _replace(path: str, data: bytes) -> None:
    temporary = _temporary(path, data)
    try:
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _link(path: str, data: bytes) -> None:
    """Give a file its name, which fails where the name is taken: what stands there is whole from the first moment."""
    temporary = _temporary(path, data)
    try:
        os.link(temporary, path)
    finally:
        os.unlink(temporary)


def _temporary(path: str, data: bytes) -> str:
    """Write a file beside the one that it is to become, and return its path."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".opspec-lint-")
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: str) -> int:
    """Return the mode of the file that is replaced, or that of a new one."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
