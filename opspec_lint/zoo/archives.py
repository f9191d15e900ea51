"""Archives of models, zip and tar: `a/b.onnx` of `zoo.zip` is `zoo.zip/a/b.onnx`. Nothing is unpacked to a disk."""

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
"""Bytes of one file of an archive that are read."""
_MOST = 2_000_000
"""Files of one archive."""
_ERRORS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError, NotImplementedError)
"""What is raised for what is no archive, or a damaged one."""


class FilesInMemory(LinklessStorage):
    """A storage whose files are read whole, the last one kept.

    Args:
        sizes: the size and the stamp of each file, by its path.
    """

    def __init__(self, sizes: Mapping[str, tuple[int, str]]) -> None:
        self._sizes = sizes
        self._folders: dict[str, set[str]] = {}
        for path in sizes:
            while (folder := os.path.dirname(path)) != path and folder:
                known = folder in self._folders
                self._folders.setdefault(folder, set()).add(os.path.basename(path))
                if known:
                    break
                path = folder  # noqa: PLW2901 - on to the folder around it
        self._data = lru_cache(maxsize=1)(self.data)

    def data(self, path: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            OSError: the file cannot be read, or is too large.
        """
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
        self.open(path).close()
        return memoryview(self._data(path))


class Zipped(FilesInMemory):
    """A zip archive."""

    def __init__(self, archive: str) -> None:
        self._archive = zipfile.ZipFile(archive)
        entries = [each for each in self._archive.infolist() if not each.is_dir()]
        self._entries = {os.path.join(archive, each.filename): each for each in entries[:_MOST]}
        own = _stamp(archive)
        super().__init__({path: (each.file_size, f"{own}:{each.CRC}") for path, each in self._entries.items()})

    def data(self, path: str) -> bytes:
        """Return the bytes of a file."""
        try:
            with self._archive.open(self._entries[path]) as stream:
                return _bounded(stream.read(MAX_READ + 1), path)
        except _ERRORS as error:
            raise OSError(errno.EIO, f"it is damaged in its archive: {error}", path) from None


class Tarred(FilesInMemory):
    """A tar archive, compressed or not."""

    def __init__(self, archive: str) -> None:
        self._archive = tarfile.open(archive)  # noqa: SIM115 - it stays open
        entries = [each for each in self._archive.getmembers() if each.isfile()]
        self._entries = {os.path.join(archive, os.path.normpath(each.name)): each for each in entries[:_MOST]}
        own = _stamp(archive)
        super().__init__({path: (each.size, f"{own}:{each.offset}") for path, each in self._entries.items()})

    def data(self, path: str) -> bytes:
        """Return the bytes of a file."""
        try:
            stream = self._archive.extractfile(self._entries[path])
            return _bounded(b"" if stream is None else stream.read(MAX_READ + 1), path)
        except _ERRORS as error:
            raise OSError(errno.EIO, f"it is damaged in its archive: {error}", path) from None


def _bounded(data: bytes, path: str) -> bytes:
    if len(data) > MAX_READ:
        raise OSError(errno.EFBIG, f"it has more than {MAX_READ >> 20} MiB, the limit for a file of an archive", path)
    return data


def _stamp(archive: str) -> str:
    found = os.stat(archive)
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}"


def opened(archive: str) -> FilesInMemory:
    """Open an archive.

    Raises:
        InputError: the file is not an archive, or is damaged.
    """
    try:
        return Zipped(archive) if archive.endswith(".zip") else Tarred(archive)
    except (*_ERRORS, OSError, MemoryError) as error:
        raise InputError(archive, f"is not a readable archive: {error}", advice="is it complete?") from None


def listed(archive: str) -> Iterator[Place]:
    """Yield the files of an archive.

    Raises:
        InputError: the file is not an archive, or is damaged.
    """
    for path in opened(archive).paths():
        yield Place(path=path, source=archive)
