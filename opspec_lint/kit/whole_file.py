"""Writes files whole or not at all, and deletes temporary files of writers that were killed."""

from __future__ import annotations

import os
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows, where nobody can delete what another has open
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SUFFIX = ".tmp"


def write(  # noqa: PLR0913 - what is written, and how it takes its place
    path: str,
    data: bytes,
    *,
    prefix: str,
    mode: int | None = None,
    place: Callable[[str, str], None] | None = None,
    is_durable: bool = True,
) -> None:
    """Replace the content of a file in one step.

    The content is first written to a temporary file beside it, which is locked until it replaces the file. So the next
    writer can tell a running writer from one that was killed, and deletes the temporary file of the latter.

    Args:
        path: the file.
        data: its content.
        prefix: the beginning of the names of temporary files; no other files have such names.
        mode: the permissions; None for those of a temporary file: its owner alone.
        place: moves the first path to the second; None for `os.replace`.
        is_durable: whether the content is on the disk before the file takes its place. A file that is damaged by a
            power failure, and whose reader notices that, need not wait for the disk.

    Raises:
        OSError: it cannot be written; the old file is untouched.
    """
    folder = os.path.dirname(path) or "."
    handle, temporary = _locked(folder, prefix)
    guard = handle if fcntl is None else os.dup(handle)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            if is_durable:
                os.fsync(stream.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        (place or os.replace)(temporary, path)
    finally:
        with suppress(OSError):  # it has its place
            os.unlink(temporary)
        if guard != handle:
            os.close(guard)
    _sweep(folder, prefix)


def _locked(folder: str, prefix: str) -> tuple[int, str]:
    """Create a temporary file and lock it; if another writer deleted it before the lock, create another one."""
    while True:
        path = os.path.join(folder, f"{prefix}{os.urandom(8).hex()}{_SUFFIX}")
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        if fcntl is None:
            return handle, path
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, path
        os.close(handle)


def _sweep(folder: str, prefix: str) -> None:
    """Delete temporary files that nobody has locked."""
    with suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            if entry.name.startswith(prefix) and entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _delete(entry.path)


def _delete(path: str) -> None:
    """Delete a file unless it is locked.

    Raises:
        OSError: it is locked, or cannot be deleted.
    """
    handle = os.open(path, os.O_RDWR)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
    finally:
        os.close(handle)
    if fcntl is None:
        os.unlink(path)
