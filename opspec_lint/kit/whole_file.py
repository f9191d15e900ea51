"""Writes files whole or not at all, and deletes temporary files of writers that were killed."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress

from opspec_lint.kit.held_folder import held

try:
    import fcntl
except ImportError:  # Windows, where nobody can delete what another has open
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.kit.held_folder import Folder

_SUFFIX = ".tmp"


def write(path: str, data: bytes, *, prefix: str, is_durable: bool = True) -> None:
    """Replace the content of a file of our own in one step; its owner alone may read it.

    Args:
        path: the file.
        data: its content.
        prefix: the beginning of the names of temporary files; no other files have such names.
        is_durable: whether the content is on the disk before the file takes its place. A file that is damaged by a
            power failure, and whose reader notices that, need not wait for the disk.

    Raises:
        OSError: the file cannot be written; the old one is untouched.
    """
    folder, name = os.path.split(path)
    with held(folder) as place:
        write_in(place, name, (data,), prefix=prefix, is_durable=is_durable)


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
    """Replace the content of a file in a folder in one step; a link of that name is replaced and not followed.

    The content is first written to a temporary file beside it, which is locked until it replaces the file. So the next
    writer can tell a running writer from one that was killed, and deletes the temporary file of the latter.

    Args:
        folder: the folder.
        name: the name of the file.
        data: its content, in parts.
        prefix: the beginning of the names of temporary files; no other files have such names.
        mode: the permissions; None for those of a temporary file: its owner alone.
        owner: the user and the group that it is given to if the system allows that; None for ours.
        is_new: whether the name must not be taken.
        is_durable: whether the content is on the disk before the file takes its place.

    Raises:
        FileExistsError: the name is taken, and `is_new`.
        OSError: the file cannot be written; the old one is untouched.
    """
    handle, temporary = _locked(folder, prefix)
    guard = handle if fcntl is None else os.dup(handle)
    try:
        with open(handle, "wb") as stream:
            stream.writelines(data)
            stream.flush()
            if is_durable:
                os.fsync(stream.fileno())
            if owner is not None:
                with suppress(OSError):
                    os.chown(stream.fileno(), *owner)
            if mode is not None:
                os.chmod(stream.fileno() if os.chmod in os.supports_fd else folder.at(temporary), mode)
        put = os.link if is_new else os.replace
        put(folder.at(temporary), folder.at(name), src_dir_fd=folder.handle, dst_dir_fd=folder.handle)
    finally:
        with suppress(OSError):  # it has its place
            os.unlink(folder.at(temporary), dir_fd=folder.handle)
        if guard != handle:
            os.close(guard)
    _sweep(folder, prefix)


@contextmanager
def alone(folder: Folder, *, prefix: str, tries: int = 300) -> Iterator[None]:
    """Keep others out of a folder that ask for the same. One who is in it is waited for, 0.1 s at each try.

    Raises:
        OSError: another one stays in it, or the file system has no locks.
    """
    handle = _key(folder, f"{prefix}lock{_SUFFIX}", prefix, tries)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(folder.at(f"{prefix}lock{_SUFFIX}"), dir_fd=folder.handle)
        os.close(handle)


def _key(folder: Folder, name: str, prefix: str, tries: int) -> int:
    for _ in range(tries):
        handle = _key_if_free(folder, name)
        if handle is not None:
            return handle
        time.sleep(0.1)
        if fcntl is None:
            _sweep(folder, prefix)
    raise OSError(errno.EAGAIN, "another program is writing to its folder")


def _key_if_free(folder: Folder, name: str) -> int | None:
    """Create a lock file, and lock it; return None if another one has it, or deleted it before the lock."""
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if fcntl is None else os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        handle = os.open(folder.at(name), flags, 0o600, dir_fd=folder.handle)
    except FileExistsError:
        return None
    if fcntl is None:
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_nlink:
            return handle
    except BlockingIOError:
        pass
    except OSError:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _locked(folder: Folder, prefix: str) -> tuple[int, str]:
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
    """Delete temporary files that nobody has locked."""
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
