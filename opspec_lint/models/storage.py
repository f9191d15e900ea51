"""Storages, the places where model files are: the disk, an archive or a bucket, behind one interface.

Readers of models use the current storage only. So the same code reads from every place, and a recorder can be put in
between.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from contextvars import ContextVar

from opspec_lint.kit.named_file import NotAFileError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, Literal, TypeAlias

    Kind: TypeAlias = Literal["file", "folder", "other"]


class PathStatus(Record):
    """The kind of a path (a file, a folder, or something else, such as a pipe), its size and a change stamp.

    `size` is only meaningful for a file. `stamp` changes when the file or folder changes, if its storage can detect
    that.
    """

    kind: Kind
    size: int
    stamp: str


class Storage:
    """The disk, and the base class of other storages."""

    def status(self, path: str) -> PathStatus:
        """Return the status of a file or folder, links followed.

        Raises:
            OSError: the path does not exist (FileNotFoundError), or cannot be examined.
            ValueError: no file can have this path.
        """
        result = os.stat(path)
        kind: Kind = "other"
        if stat.S_ISREG(result.st_mode):
            kind = "file"
        elif stat.S_ISDIR(result.st_mode):
            kind = "folder"
        # Size and time alone would miss a file that was replaced by one of the same size within the resolution of the
        # clock.
        return PathStatus(
            kind=kind,
            size=result.st_size,
            stamp=f"{result.st_size}:{result.st_mtime_ns}:{result.st_ino}:{result.st_dev}",
        )

    def is_link(self, path: str) -> bool:
        """Return True if a path is a symbolic link."""
        return os.path.islink(path)

    def real_path(self, path: str) -> str:
        """Return the path with all links followed."""
        return os.path.realpath(path)

    def names(self, folder: str) -> list[str]:
        """Return the names of the entries of a folder. Raises OSError if it cannot be listed."""
        return os.listdir(folder)

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:
        """Open a file. A pipe or device raises OSError instead of blocking or reading without end."""
        return open(path, "rb", buffering=buffering, opener=_open_regular_file)

    def view(self, path: str) -> memoryview:
        """Return a memory map of a file, so that weights in it are not read unless they are accessed.

        Raises:
            OSError: the file cannot be opened.
            ValueError: the path can be none.
        """
        import mmap

        with self.open(path) as stream:
            # mmap refuses an empty file.
            if not os.fstat(stream.fileno()).st_size:
                return memoryview(b"")
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


class LinklessStorage(Storage):
    """A storage without symbolic links, such as an archive or a bucket."""

    def is_link(self, path: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def real_path(self, path: str) -> str:
        """Return the path without `..` in it."""
        begin, separator, rest = path.partition("://")
        return begin + separator + os.path.normpath(rest) if separator else os.path.normpath(path)


DISK = Storage()
_current_storage: ContextVar[Storage] = ContextVar("_current_storage", default=DISK)


def current_storage() -> Storage:
    """Return the storage that models are read from."""
    return _current_storage.get()


@contextmanager
def use_storage(storage: Storage) -> Iterator[None]:
    """Make a storage the current one within a `with` block."""
    token = _current_storage.set(storage)
    try:
        yield
    finally:
        _current_storage.reset(token)


def _open_regular_file(path: str, flags: int) -> int:
    """Open a path for `open()`, unless it is a pipe or device."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # open() itself refuses a folder
        raise NotAFileError
    return os.open(path, flags)
