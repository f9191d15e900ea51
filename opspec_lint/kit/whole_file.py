"""Atomic writing of files, and deletion of temporary files of killed writers."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress

from opspec_lint.kit.held_folder import hold_folder

try:
    import fcntl
except ImportError:  # Windows, where nobody can delete what another has open
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from opspec_lint.kit.held_folder import Folder

_SUFFIX = ".tmp"


def write(path: str, data: bytes, *, prefix: str, is_durable: bool = True) -> None:
    """Replace the content of a file in one step; only its owner may read it.

    Args:
        path: the file.
        data: its content.
        prefix: the beginning of the names of temporary files; no other files have such names.
        is_durable: whether the content is on the disk before the file takes its place. If the reader detects damage by
            a power failure, that is not needed.

    Raises:
        OSError: the file cannot be written; the old one is untouched.
    """
    folder, name = os.path.split(path)
    with hold_folder(folder) as place:
        write_in(place, name, (data,), prefix=prefix, is_durable=is_durable)


_writes: dict[tuple[str, str], int] = {}
"""The number of files that this process has written to a folder, by its path and the prefix of temporary files."""


def write_in(  # noqa: PLR0913 - what is written, and how it takes its place
    folder: Folder,
    name: str,
    data: Iterable[bytes],
    *,
    prefix: str,
    mode: int | None = None,
    owner: tuple[int, int] | None = None,
    is_new: bool = False,
    is_durable: bool = True,
) -> None:
    """Replace the content of a file in a folder in one step; a link of that name is replaced, not followed.

    The content is first written to a temporary file in the folder, which is locked until it replaces the file. The lock
    shows the next writer that this one is running; it deletes unlocked temporary files.

    Args:
        folder: the folder.
        name: the name of the file.
        data: its content, in parts.
        prefix: the beginning of the names of temporary files; no other files have such names.
        mode: the permissions; None for access by the owner alone.
        owner: the user and the group to give it to, if the system allows that; None for this process's own.
        is_new: whether the name must not be taken.
        is_durable: whether the content is on the disk before the file takes its place.

    Raises:
        FileExistsError: the name is taken, and `is_new`.
        OSError: the file cannot be written; the old one is untouched.
    """
    handle, temporary = _locked_temporary(folder, prefix)
    # The duplicate keeps the lock after the stream is closed, until the file is in its place.
    guard = handle if fcntl is None else os.dup(handle)
    try:
        with open(handle, "wb") as stream:
            _write_data(stream, data, is_durable=is_durable)
            _set_access(stream, folder.at(temporary), mode, owner)
        # A link fails if the name exists, a replacement never does; both are atomic.
        put = os.link if is_new else os.replace
        put(folder.at(temporary), folder.at(name), src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
    finally:
        with suppress(OSError):  # it has become the file
            os.unlink(folder.at(temporary), dir_fd=folder.handle)
        if guard != handle:
            os.close(guard)
    writes = _writes[folder.path, prefix] = _writes.get((folder.path, prefix), 0) + 1
    # At the 1st, 2nd, 4th, 8th write to the folder: each sweep lists it, which for each of n files would take n² steps.
    if writes & (writes - 1) == 0:
        _sweep(folder, prefix)


def _write_data(stream: BinaryIO, data: Iterable[bytes], *, is_durable: bool) -> None:
    """Write the parts of a content, down to the disk if `is_durable`."""
    stream.writelines(data)
    stream.flush()
    if is_durable:
        os.fsync(stream.fileno())


def _set_access(stream: BinaryIO, path: str, mode: int | None, owner: tuple[int, int] | None) -> None:
    """Give an open file to a user and group, if the system allows that, and set its permissions."""
    if owner is not None:
        with suppress(OSError):
            os.chown(stream.fileno(), *owner)
    # After the owner: the system clears the set-user-ID bit of a file that changes hands.
    if mode is not None:
        os.chmod(stream.fileno() if os.chmod in os.supports_fd else path, mode)


@contextmanager
def exclusive_access(folder: Folder, *, prefix: str, tries: int = 300) -> Iterator[None]:
    """Lock a folder against other programs that use this function. A locked one is tried again every 0.1 s.

    Raises:
        OSError: it stays locked, or the file system has no locks.
    """
    handle = _acquire(folder, f"{prefix}lock{_SUFFIX}", prefix, tries)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(folder.at(f"{prefix}lock{_SUFFIX}"), dir_fd=folder.handle)
        os.close(handle)


def _acquire(folder: Folder, name: str, prefix: str, tries: int) -> int:
    """Return the lock of a folder, tried every 0.1 s. Raises OSError if another program keeps it."""
    for _ in range(tries):
        handle = _try_acquire(folder, name)
        if handle is not None:
            return handle
        time.sleep(0.1)
        if fcntl is None:
            _sweep(folder, prefix)
    raise OSError(errno.EAGAIN, "another program is writing to its folder")


def _try_acquire(folder: Folder, name: str) -> int | None:
    """Create a lock file, and lock it; return None if another program holds it, or deleted it before the lock."""
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if fcntl is None else os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        handle = os.open(folder.at(name), flags, 0o600, dir_fd=folder.handle)
    except FileExistsError:
        return None
    if fcntl is None:
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another program may have deleted the file between the opening and the lock; then the lock is worthless.
        if os.fstat(handle).st_nlink:
            return handle
    except BlockingIOError:
        pass
    except OSError:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _locked_temporary(folder: Folder, prefix: str) -> tuple[int, str]:
    """Create a temporary file and lock it; if another writer deleted it before the lock, create another one."""
    while True:
        name = f"{prefix}{os.urandom(8).hex()}{_SUFFIX}"
        handle = os.open(folder.at(name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder.handle)
        if fcntl is None:
            return handle, name
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)


def _sweep(folder: Folder, prefix: str) -> None:
    """Delete the temporary files that are not locked."""
    with suppress(OSError):
        for name in folder.names():
            if name.startswith(prefix) and name.endswith(_SUFFIX):
                with suppress(OSError):
                    _delete(folder, name)


def _delete(folder: Folder, name: str) -> None:
    """Delete a file unless it is locked.

    Raises:
        OSError: the file is locked, or cannot be deleted.
    """
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(folder.at(name), flags, dir_fd=folder.handle)
    try:
        if fcntl is not None and stat.S_ISREG(os.fstat(handle).st_mode):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(folder.at(name), dir_fd=folder.handle)
    finally:
        os.close(handle)
    if fcntl is None:
        os.unlink(folder.at(name))
