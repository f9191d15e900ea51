"""Writes the files of a command, each whole or not at all, and decides where may be written.

A symbolic link is never followed in the place of the file; only those of the system are, such as `/dev/stdout`. On the
way to a file that the user names, a link may not lead out of the current folder. On the way from a folder to a file
whose name is not the user's own, there must be none.
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
"""How often a pipe is tried that no program reads, 0.1 s apart."""
_OF_THE_SYSTEM = ("/dev/", "/proc/")
"""Where links stand for what this program has open."""


def write(  # noqa: PLR0913 - what is written, and how it takes its place
    path: str,
    content: Content,
    *,
    below: str | None = None,
    makes_folder: bool = False,
    is_new: bool = False,
    is_durable: bool = True,
) -> None:
    """Replace a file with a text, or with bytes, atomically, so that no half-written file replaces an old one.

    A path that is not a regular file (a pipe, a device) is written to directly, and so is another name of our standard
    output or error (`/dev/stdout`).

    Args:
        path: the file.
        content: its text, also in parts, or bytes; or a function that returns it, called while no other process
            of this program changes the file in that way.
        below: the folder that a file must be in whose name is not the user's own; None for one that the user names.
        makes_folder: whether the folder of a new file is created in an existing one; `below` may have any depth.
        is_new: whether the file must not exist yet.
        is_durable: whether the content is on the disk before the file takes its place.

    Raises:
        UsageError: the file exists, and `is_new`.
        OpspecError: the text cannot be written; the old file is untouched.
    """
    with _errors_of_writing(path):
        direct = None if below is not None or is_new else _stream(path)
        if direct is not None:
            with open(direct, "wb") as stream:
                stream.writelines(_bytes(content))
            return
        if makes_folder:
            _require_above(os.path.dirname(os.path.abspath(path)) if below is None else os.path.abspath(below), path)
        root, *parts, name = _way(path, below)
        with hold_folder(root, parts, makes=makes_folder) as folder:
            if callable(content):
                with whole_file.exclusive_access(folder, prefix=_PREFIX):
                    _replace(folder, name, content, is_new=is_new, is_durable=is_durable)
            else:
                _replace(folder, name, content, is_new=is_new, is_durable=is_durable)


@contextmanager
def _errors_of_writing(path: str) -> Iterator[None]:
    """Turn an error of the system about a file that is to be written into one for the user."""
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


def _require_above(folder: str, path: str) -> None:
    """Make sure that a folder which may have to be created is in an existing one: a longer path is rather mistyped.

    Raises:
        OpspecError: the folder above does not exist either.
    """
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
    """Make sure that a file may be created at a path that the user names, for a library that opens it itself.

    Raises:
        OpspecError: its folder does not exist, or a link leads out of the current folder, or is in its place.
    """
    with _errors_of_writing(path):
        root, *parts, name = _way(path, None)
        with hold_folder(root, parts) as folder:
            old = folder.status(name)
            if old is not None:
                _require_replaceable(old, path)


def _replace(folder: Folder, name: str, content: Content, *, is_new: bool, is_durable: bool) -> None:
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
    """Make sure that what stands in the place of a file may be replaced.

    Raises:
        OSError: a link, something that is no regular file, or a read-only file is in the place.
    """
    if stat.S_ISLNK(old.st_mode):
        raise LinkError(path)
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "is a pipe, a socket or a device", path)
    if not old.st_mode & 0o222:
        raise PermissionError(errno.EACCES, "is read-only", path)


def _way(path: str, below: str | None) -> list[str]:
    """Return the folder to start from, the names of those below it, which may not be links, and that of the file.

    Raises:
        OSError: a link leads out of the current folder, the file is not below its folder, or the path names none.
    """
    if below is not None:
        inside = os.path.relpath(os.path.abspath(path), os.path.abspath(below)).split(os.sep)
        if inside[0] in (os.curdir, os.pardir):
            raise OSError(errno.EINVAL, f"is not in {below}", path)
        return [*_way(os.path.abspath(below), None), *inside]
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


def _stream(path: str) -> int | None:
    """Return an open handle of what is written to directly: our own output, a pipe or a device; None for a file.

    Raises:
        OSError: the path cannot be opened, or is a link that is not the system's.
    """
    if os.path.islink(path) and not os.path.abspath(path).startswith(_OF_THE_SYSTEM):
        raise LinkError(path)
    if not os.path.exists(path):
        return None
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(number)):
                return os.dup(number)
    if os.path.isfile(path) or os.path.isdir(path):
        return None
    handle = _opened(path)
    if stat.S_ISREG(os.fstat(handle).st_mode):  # it was replaced meanwhile
        os.close(handle)
        raise LinkError(path)
    return handle


def _opened(path: str) -> int:
    """Open a pipe or a device to write to it; a pipe that no program reads is waited for as long as `_TRIES` allows.

    Raises:
        OSError: the path cannot be opened, or no program reads the pipe.
    """
    for _ in range(_TRIES):
        handle = _opened_if_read(path)
        if handle is not None:
            os.set_blocking(handle, True)
            return handle
        time.sleep(0.1)
    raise OSError(errno.ENXIO, "no program reads the pipe", path)


def _opened_if_read(path: str) -> int | None:
    try:
        return os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ENXIO and stat.S_ISFIFO(os.stat(path).st_mode):
            return None
        raise


def _bytes(content: Content) -> Iterator[bytes]:
    """Yield what is to be written in parts, each made when those before it are written."""
    found = content() if callable(content) else content
    for part in (found,) if isinstance(found, (str, bytes)) else found:
        yield part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace")


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
