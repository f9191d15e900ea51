"""Atomic writing of the files of a command, with rules on where it may write.

A symbolic link in the place of the file is never followed, except those of the system, such as `/dev/stdout`. In the
path of a file that the user names, a link must not lead out of the current folder. In the path from a folder to a file
whose name comes from elsewhere, no link is allowed.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress

from opspec_lint.kit import whole_file
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.kit.held_folder import LinkError, hold_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.kit.held_folder import Folder

    Content: TypeAlias = str | bytes | Iterable[str] | Callable[[], str | bytes]

_PREFIX = ".opspec-lint-"
_TRIES = 20
"""Attempts to open a pipe without reader, 0.1 s apart."""
_OF_THE_SYSTEM = ("/dev/", "/proc/")
"""Folders whose links are names for files that this process has open."""


def write(  # noqa: PLR0913 - what is written, and how it takes its place
    path: str,
    content: Content,
    *,
    below: str | None = None,
    makes_folder: bool = False,
    is_new: bool = False,
    is_durable: bool = True,
) -> None:
    """Replace a file atomically, so that a half-written file never replaces an old one.

    A path that is no regular file (a pipe, a device), or another name of this process's output (`/dev/stdout`), is
    written to directly.

    `content` is text, whole or in parts, or bytes, or a function that returns them, called while no other process of
    this program changes the file in this way. `below` is the folder that must contain a file whose name is not the
    user's own; None for a path of the user. `makes_folder`: create the folder of the file in an existing one. `is_new`:
    the file must not exist. `is_durable`: flush the content to the disk before the file is replaced. Raises UsageError
    if the file exists and `is_new`, OpspecError if it cannot be written; the old file is unchanged then.
    """
    with _errors_of_writing(path):
        direct = None if below is not None or is_new else _direct_output(path)
        if direct is not None:
            with open(direct, "wb") as stream:
                stream.writelines(_bytes(content))
            return
        if makes_folder:
            _require_parent(os.path.dirname(os.path.abspath(path)) if below is None else os.path.abspath(below), path)
        root, *parts, name = _resolve_place(path, below)
        with hold_folder(root, parts, makes=makes_folder) as folder:
            if callable(content):
                with whole_file.exclusive_access(folder, prefix=_PREFIX):
                    _replace(folder, name, content, is_new=is_new, is_durable=is_durable)
            else:
                _replace(folder, name, content, is_new=is_new, is_durable=is_durable)


@contextmanager
def _errors_of_writing(path: str) -> Iterator[None]:
    """Convert errors of the system on a file to be written to errors for the user."""
    try:
        yield
    except FileExistsError:
        raise UsageError(f"{path}: already exists", advice="it is unchanged; move it, or write elsewhere") from None
    except LinkError as error:
        advice = "name what it leads to, or delete it; no file is written through a link that others may have made"
        raise OpspecError(f"{path}: cannot be written: {error.strerror}", advice=advice) from None
    except (OSError, ValueError) as error:
        problem = f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}"
        raise OpspecError(problem, advice="the file is unchanged") from None


def _require_parent(folder: str, path: str) -> None:
    """Raise OpspecError if more than one folder of a path is missing: a longer path is probably mistyped."""
    missing = []
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    if len(missing) > 1:
        name = missing[-1] if os.path.isabs(path) else os.path.relpath(missing[-1])
        raise OpspecError(
            f"{path}: cannot be written: there is no folder {name!r}",
            advice="create it first; only the last folder of a path is created",
        )


def require_place(path: str) -> None:
    """Raise OpspecError if no file may be created at a user's path, for libraries that open files themselves."""
    with _errors_of_writing(path):
        root, *parts, name = _resolve_place(path, None)
        with hold_folder(root, parts) as folder:
            old = folder.status(name)
            if old is not None:
                _require_replaceable(old, path)


def _replace(folder: Folder, name: str, content: Content, *, is_new: bool, is_durable: bool) -> None:
    """Write a file in one step; it keeps the mode and owner of the file that it replaces."""
    old = folder.status(name)
    if old is not None and not is_new:
        _require_replaceable(old, os.path.join(folder.path, name))
    whole_file.write_in(
        folder,
        name,
        _bytes(content),
        prefix=_PREFIX,
        mode=_new_mode() if old is None else old.st_mode & 0o7777,
        owner=None if old is None else (old.st_uid, old.st_gid),
        is_new=is_new,
        is_durable=is_durable,
    )


def _require_replaceable(old: os.stat_result, path: str) -> None:
    """Raise OSError if a link, something other than a regular file, or a read-only file is in the place of a file."""
    if stat.S_ISLNK(old.st_mode):
        raise LinkError(path)
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "is a pipe, a socket or a device", path)
    # The system would allow it: to replace a file takes only the permission for its folder.
    if not old.st_mode & 0o222:
        raise PermissionError(errno.EACCES, "is read-only", path)


def _resolve_place(path: str, below: str | None) -> list[str]:
    """Return the folder to start from, the folders below it, which must not be links, and the name of the file.

    Raises OSError if a link leads out of the current folder, the file is not below its folder, or the path names none.
    """
    if below is not None:
        inside = os.path.relpath(os.path.abspath(path), os.path.abspath(below)).split(os.sep)
        if inside[0] in (os.curdir, os.pardir):
            raise OSError(errno.EINVAL, f"is not in {below}", path)
        return [*_resolve_place(os.path.abspath(below), None), *inside]
    folder, name = os.path.split(path)
    if name in ("", os.curdir, os.pardir):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    here, full = os.path.join(os.getcwd(), ""), os.path.abspath(folder)
    if not full.startswith(here):
        return [folder, name]
    real = os.path.realpath(full)
    if not real.startswith(os.path.join(os.path.realpath(here), "")):
        raise LinkError(folder)
    return [here, *os.path.relpath(real, os.path.realpath(here)).split(os.sep), name]


def _direct_output(path: str) -> int | None:
    """Return a handle for direct writing: this process's output, a pipe or a device; None for a regular file.

    Raises OSError if the path cannot be opened, or is a link of a user.
    """
    if os.path.islink(path) and not os.path.abspath(path).startswith(_OF_THE_SYSTEM):
        raise LinkError(path)
    if not os.path.exists(path):
        return None
    # An open handle is duplicated: opening /dev/stdout again would start at offset 0 of a redirected file.
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(number)):
                return os.dup(number)
    if os.path.isfile(path) or os.path.isdir(path):
        return None
    handle = _open_for_writing(path)
    if stat.S_ISREG(os.fstat(handle).st_mode):  # it was replaced meanwhile
        os.close(handle)
        raise LinkError(path)
    return handle


def _open_for_writing(path: str) -> int:
    """Open a pipe or a device for writing; wait for a reader of a pipe for `_TRIES` attempts.

    Raises OSError if the path cannot be opened, or no program reads the pipe.
    """
    for _ in range(_TRIES):
        handle = _try_open(path)
        if handle is not None:
            # From here on the reader sets the pace.
            os.set_blocking(handle, True)
            return handle
        time.sleep(0.1)
    raise OSError(errno.ENXIO, "no program reads the pipe", path)


def _try_open(path: str) -> int | None:
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a reader without end.
        return os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ENXIO and stat.S_ISFIFO(os.stat(path).st_mode):
            return None
        raise


def _bytes(content: Content) -> Iterator[bytes]:
    """Yield the content as bytes in parts; each part is made after the ones before it were written."""
    data = content() if callable(content) else content
    for part in (data,) if isinstance(data, (str, bytes)) else data:
        yield part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace")


def _new_mode() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
