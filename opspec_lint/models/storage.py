"""Where the files of models are: the disk, or another place that answers the same questions.

Readers of models ask the storage that is in force, and nothing else: so a model is read from a disk, an archive or a
bucket by the same code, and what was asked while it was read can be kept.
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


class About(Record):
    """What stands at a path: a file, a folder, or something else, such as a pipe.

    `size` is that of a file. `stamp` is another one when the file or folder was changed, as far as its storage tells.
    """

    kind: Kind
    size: int
    stamp: str


class Storage:
    """The disk. Other storages are subclasses."""

    def about(self, path: str) -> About:
        """Return the kind and size of a file or folder, links followed.

        Raises:
            OSError: the path does not exist (FileNotFoundError), or cannot be examined.
            ValueError: no file can have this path.
        """
        found = os.stat(path)
        is_file, is_folder = stat.S_ISREG(found.st_mode), stat.S_ISDIR(found.st_mode)
        kind: Kind = "file" if is_file else "folder" if is_folder else "other"
        return About(
            kind=kind, size=found.st_size, stamp=f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}:{found.st_dev}"
        )

    def is_link(self, path: str) -> bool:
        """Tell whether a path is a symbolic link."""
        return os.path.islink(path)

    def real_path(self, path: str) -> str:
        """Return the path with all links followed."""
        return os.path.realpath(path)

    def names(self, folder: str) -> list[str]:
        """Return the names of the entries of a folder.

        Raises:
            OSError: the folder cannot be listed.
        """
        return os.listdir(folder)

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:
        """Open a file. A pipe is not waited for, and nothing is read of a device, which may have no end.

        Raises:
            OSError: the path cannot be opened, or is no file.
        """
        return open(path, "rb", buffering=buffering, opener=_open_at_once)

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file where they are; of weights that lie in it, nothing is read.

        Raises:
            OSError: the file cannot be opened.
            ValueError: the path can be none.
        """
        import mmap

        with self.open(path) as stream:
            if not os.fstat(stream.fileno()).st_size:
                return memoryview(b"")
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


class LinklessStorage(Storage):
    """A storage that has no symbolic links, or follows none, such as an archive or a bucket."""

    def is_link(self, path: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def real_path(self, path: str) -> str:
        """Return the path without `..` in it."""
        begin, separator, rest = path.partition("://")
        return begin + separator + os.path.normpath(rest) if separator else os.path.normpath(path)


DISK = Storage()
_in_force: ContextVar[Storage] = ContextVar("_in_force", default=DISK)


def in_force() -> Storage:
    """Return the storage that models are read from now."""
    return _in_force.get()


@contextmanager
def reading_from(storage: Storage) -> Iterator[None]:
    """Have models read from a storage."""
    token = _in_force.set(storage)
    try:
        yield
    finally:
        _in_force.reset(token)


def _open_at_once(path: str, flags: int) -> int:
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # open() itself refuses a folder
        raise NotAFileError
    return os.open(path, flags)
