"""Read access to models in zip and tar archives, without unpacking; `a/b.onnx` in `zoo.zip` is `zoo.zip/a/b.onnx`."""

from __future__ import annotations

import errno
import io
import os
import tarfile
import zipfile
import zlib
from functools import lru_cache

from opspec_lint.kit.errors import InputError
from opspec_lint.models.storage import LinklessStorage, PathStatus
from opspec_lint.zoo.work import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

MAX_READ = 512 << 20
"""Limit in bytes for one file of an archive: the file is read into memory as a whole."""
_MOST_FILES = 2_000_000
"""Limit for the number of files of one archive."""
_ERRORS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError, NotImplementedError)
"""Exceptions that `zipfile` and `tarfile` raise for a file that is damaged or is no archive."""


class InMemoryStorage(LinklessStorage):
    """A storage whose files can only be read whole; the file that was read last stays in memory.

    `sizes` has the size and the change stamp of each file, by its path.
    """

    def __init__(self, sizes: Mapping[str, tuple[int, str]]) -> None:
        self._sizes = sizes
        self._folders: dict[str, set[str]] = {}
        for path in sizes:
            # Stops at the first folder that is known: the folders above it are known too, so each is added once only.
            while (folder := os.path.dirname(path)) != path and folder:
                known = folder in self._folders
                self._folders.setdefault(folder, set()).add(os.path.basename(path))
                if known:
                    break
                path = folder  # noqa: PLW2901 - on to the folder around it
        self._data = lru_cache(maxsize=1)(self.data)

    def data(self, path: str) -> bytes:
        """Return the bytes of a file. Raises OSError for a file that is damaged or too large."""
        raise NotImplementedError

    def paths(self) -> Iterator[str]:
        """Yield the paths of the files."""
        return iter(self._sizes)

    def status(self, path: str) -> PathStatus:
        """Return the kind and size of a file or folder."""
        if path in self._sizes:
            size, stamp = self._sizes[path]
            return PathStatus(kind="file", size=size, stamp=stamp)
        if path.rstrip("/") in self._folders:
            return PathStatus(kind="folder", size=0, stamp="folder")
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

    def names(self, folder: str) -> list[str]:
        """Return the names of the entries of a folder."""
        self.status(folder)
        return sorted(self._folders.get(folder.rstrip("/"), ()))

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:  # noqa: ARG002 - it is in memory
        """Open a file."""
        if self.status(path).kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        return io.BytesIO(self._data(path))

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file."""
        self.open(path).close()  # raises the error that a folder or a missing file has
        return memoryview(self._data(path))


class ZipStorage(InMemoryStorage):
    """A zip archive."""

    def __init__(self, archive: str) -> None:
        self._archive = zipfile.ZipFile(archive)
        entries = [entry for entry in self._archive.infolist() if not entry.is_dir()]
        self._entries = {os.path.join(archive, entry.filename): entry for entry in entries[:_MOST_FILES]}
        own = _archive_stamp(archive)
        super().__init__({path: (entry.file_size, f"{own}:{entry.CRC}") for path, entry in self._entries.items()})

    def data(self, path: str) -> bytes:
        """Return the bytes of a file."""
        try:
            with self._archive.open(self._entries[path]) as stream:
                return _check_size(stream.read(MAX_READ + 1), path)
        except _ERRORS as error:
            raise OSError(errno.EIO, f"it is damaged in its archive: {error}", path) from None


class TarStorage(InMemoryStorage):
    """A tar archive, compressed or not."""

    def __init__(self, archive: str) -> None:
        self._archive = tarfile.open(archive)  # noqa: SIM115 - it stays open
        entries = [entry for entry in self._archive.getmembers() if entry.isfile()]
        self._entries = {os.path.join(archive, os.path.normpath(entry.name)): entry for entry in entries[:_MOST_FILES]}
        own = _archive_stamp(archive)
        super().__init__({path: (entry.size, f"{own}:{entry.offset}") for path, entry in self._entries.items()})

    def data(self, path: str) -> bytes:
        """Return the bytes of a file."""
        try:
            stream = self._archive.extractfile(self._entries[path])
            return _check_size(b"" if stream is None else stream.read(MAX_READ + 1), path)
        except _ERRORS as error:
            raise OSError(errno.EIO, f"it is damaged in its archive: {error}", path) from None


def _check_size(data: bytes, path: str) -> bytes:
    if len(data) > MAX_READ:
        raise OSError(errno.EFBIG, f"it has more than {MAX_READ >> 20} MiB, the limit for a file of an archive", path)
    return data


def _archive_stamp(archive: str) -> str:
    status = os.stat(archive)
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ino}"


def open_archive(archive: str) -> InMemoryStorage:
    """Open a zip or tar archive by its extension. Raises InputError if it is damaged or no archive."""
    try:
        return ZipStorage(archive) if archive.endswith(".zip") else TarStorage(archive)
    except (*_ERRORS, OSError, MemoryError) as error:
        raise InputError(
            archive, f"is not a readable archive: {error}", advice="it may be truncated: copy it again"
        ) from None


def list_archive(archive: str) -> Iterator[Place]:
    """Yield the files of an archive. Raises InputError if it is damaged or no archive."""
    for path in open_archive(archive).paths():
        yield Place(path=path, source=archive)
