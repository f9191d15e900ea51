"""Models behind a URL, read by fsspec: `s3://`, `gs://`, `hdfs://`, `zip://...::`, and all else that it supports."""

from __future__ import annotations

import errno
import io
import os
from functools import lru_cache, partial
from typing import Any, cast

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.models.storage import LinklessStorage, PathStatus
from opspec_lint.models.tape import PartView
from opspec_lint.zoo.work import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

_WILDCARDS = "*?["
_STAMPS = ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created", "modified", "CRC", "ino")
"""Keys under which file systems report a value that differs after a file was changed."""
_WHOLE = 16 << 20
"""Size in bytes up to which a file is read whole; of a larger file, only the blocks that are used are read."""
_BLOCK = 1 << 20
_FOLDERS = 256
"""Folders whose listings are cached."""
_BLOCKS = 16
"""Blocks that are cached."""


class Remote(LinklessStorage):
    """The storage below a URL of a file, folder or pattern; lists only the folders that it is asked for.

    Raises UsageError if fsspec, or its package for this kind of URL, is not installed, InputError if the URL cannot be
    opened.
    """

    def __init__(self, url: str) -> None:
        self._system, self._root = _open_file_system(url)
        self._url = url
        self._prefix = _path_prefix(url)
        self._root_slash = "/" if self._root.startswith("/") and self._prefix != _DISK else ""
        self._entries = lru_cache(maxsize=_FOLDERS)(self._list_folder)
        self._data = lru_cache(maxsize=1)(self._read)
        self._block = lru_cache(maxsize=_BLOCKS)(self._read_block)

    def places(self) -> Iterator[Place]:
        """Yield the files in the order of their paths. Raises InputError if the URL cannot be listed."""
        try:
            names = self._file_names()
        except Exception as error:
            problem = f"cannot be listed: {_error_text(error)}"
            raise InputError(self._url, problem, advice="check the URL and the access") from None
        if not names:
            raise InputError(self._url, "matches no file", advice="check the URL")
        is_file = names == [self._root]
        for name in sorted(names):
            yield Place(path=self._path(name), source=self._url, is_named=is_file)

    def _file_names(self) -> list[str]:
        if any(sign in self._root for sign in _WILDCARDS):
            matched = self._system.glob(self._root, detail=True)
            return [name for name, entry in matched.items() if entry.get("type") == "file"]
        return list(self._system.find(self._root))

    def _path(self, name: str) -> str:
        return self._prefix + name.removeprefix(self._root_slash)

    def _name(self, path: str) -> str:
        return (self._root_slash + path.removeprefix(self._prefix)).rstrip("/")

    def _list_folder(self, folder: str) -> dict[str, PathStatus]:
        """Return the entries of a folder by name, none if it is no folder. Raises OSError if it cannot be listed."""
        try:
            entries = self._system.ls(folder, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except Exception as error:
            raise OSError(errno.EIO, _error_text(error), folder) from None
        # Some file systems list a file as its own folder, so entries of another parent are dropped.
        entries_by_path = ((entry["name"].rstrip("/").rpartition("/"), entry) for entry in entries)
        return {
            name: _parse_entry(entry)
            for (parent, _, name), entry in entries_by_path
            if parent.strip("/") == folder.strip("/")
        }

    def status(self, path: str) -> PathStatus:
        """Return the kind, size and change stamp of a file or folder."""
        name = self._name(path)
        if f"{self._root}/".startswith(f"{name}/") and name != self._root:
            return _FOLDER  # above the URL of the user, and perhaps not readable: it is not asked for
        parent, _, own = name.rpartition("/")
        entry = self._entries(parent).get(own)
        if entry is None and name == self._root and self._entries(name):
            return _FOLDER  # the root of a bucket is listed, but has no entry in a parent
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return entry

    def names(self, folder: str) -> list[str]:
        """Return the names of the entries of a folder."""
        self.status(folder)
        return sorted(self._entries(self._name(folder)))

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:  # noqa: ARG002 - it has buffers of its own
        """Open a file; a large file is read in blocks."""
        entry = self.status(path)
        if entry.kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if entry.size <= _WHOLE:
            return io.BytesIO(self._data(path))
        stream: BinaryIO = self._call_with_name(path, lambda name: self._system.open(name, "rb", block_size=_BLOCK))
        return stream

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file; of a large file, only the blocks that are used are read."""
        size = self.status(path).size
        if size <= _WHOLE:
            return memoryview(self._data(path))
        return cast("memoryview", PartView(partial(self._part, path), 0, size, lambda *_: None))

    def _part(self, path: str, begin: int, end: int) -> bytes:
        first, last = begin // _BLOCK, max(begin, end - 1) // _BLOCK
        data = b"".join(self._block(path, number) for number in range(first, last + 1))
        return data[begin - first * _BLOCK : end - first * _BLOCK]

    def _read(self, path: str) -> bytes:
        data: bytes = self._call_with_name(path, self._system.cat_file)
        return data

    def _read_block(self, path: str, number: int) -> bytes:
        begin = number * _BLOCK
        end = min(begin + _BLOCK, self.status(path).size)
        data: bytes = self._call_with_name(path, lambda name: self._system.cat_file(name, start=begin, end=end))
        return data

    def _call_with_name(self, path: str, call: Callable[[str], Any]) -> Any:
        try:
            return call(self._name(path))
        except FileNotFoundError:
            raise
        except Exception as error:
            raise OSError(errno.EIO, _error_text(error), path) from None


def list_url(url: str) -> Iterator[Place]:
    """Yield the files of a URL.

    Raises UsageError if fsspec, or its package for this kind of URL, is not installed, InputError if the URL cannot be
    listed.
    """
    yield from Remote(url).places()


def _open_file_system(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and its path there. Raises UsageError if a package for it is not installed."""
    try:
        import fsspec
    except ImportError:
        advice = "pip install 'opspec-lint[fsspec]', and what fsspec names for the kind of URL, such as s3fs"
        raise UsageError(f"{url}: reading a URL needs fsspec, which is not installed", advice=advice) from None
    try:
        system, root = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UsageError(f"{url}: {_error_text(error)}", advice="install what it names") from None
    except Exception as error:
        raise InputError(
            url, f"cannot be opened: {_error_text(error)}", advice="check the URL and the access"
        ) from None
    return system, root


def _path_prefix(url: str) -> str:
    """Return the prefix that turns the path of a file into a URL: the scheme, or the archive that the file is in."""
    first, chained, rest = url.partition("::")
    scheme = first.partition("://")[0]
    if chained:
        return f"{rest}/" if "://" in first else f"{scheme}::"
    return f"{scheme}://" if scheme not in ("file", "local") else _DISK


_DISK = "file://"
_FOLDER = PathStatus(kind="folder", size=0, stamp="folder")


def _parse_entry(entry: Mapping[str, Any]) -> PathStatus:
    if entry.get("type") == "directory":
        return _FOLDER
    size = int(entry.get("size") or 0)
    stamp = ":".join(map(str, (size, *(entry[key] for key in _STAMPS if entry.get(key) is not None))))
    return PathStatus(kind="file", size=size, stamp=stamp)


def _error_text(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
