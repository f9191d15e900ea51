"""Writes a result where it belongs: whole, or not at all."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.errors import OpspecError


def write(path: str, text: str) -> None:
    """Put a text in place of a file in one step, so that no half-written file ever stands in place of an old one.

    What is no regular file (a pipe, a device) is written to directly, and so is our own standard output or error by
    another name (`/dev/stdout`), wherever it leads.

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
            _replace(os.path.realpath(path), data)
    except OSError as error:
        raise OpspecError(f"{path}: cannot be written: {error.strerror}", advice="the file is as it was") from None


def _own_stream(path: str) -> int | None:
    """Return 1 or 2 if a path is another name of our standard output or error."""
    if os.path.exists(path):
        for number in (1, 2):
            with suppress(OSError):
                if os.path.samestat(os.stat(path), os.fstat(number)):
                    return number
    return None


def _replace(path: str, data: bytes) -> None:
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".opspec-lint-")
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """Return the mode of the file that is replaced, or that of a new one."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
