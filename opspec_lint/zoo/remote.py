"""Models behind a URL, by fsspec: `s3://`, `gs://`, `hdfs://`, `zip://...::`, and what else it knows."""

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

_SIGNS = "*?["
_STAMPS = ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created", "modified", "CRC", "ino")
"""What the file systems say of a file that is another one when it was changed."""
_WHOLE = 16 << 20
"""Bytes of a file that is read whole: of a longer one, the blocks that are looked at."""
_BLOCK = 1 << 20
_FOLDERS = 256
"""Folders whose lists are kept."""
_BLOCKS = 16
"""Blocks that are kept."""


class Remote(LinklessStorage):
    """The files below a URL. A worker lists the folders of its models, and nothing else of the URL.

    Args:
        url: the URL of a file or folder, or a pattern.

    Raises:
        UsageError: fsspec, or what it needs for this kind of URL, is not installed.
        InputError: the URL cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self._system, self._root = _opened(url)
        self._url = url
        self._begin = _beginning(url)
        self._lead = "/" if self._root.startswith("/") and self._begin != _DISK else ""
        self._entries = lru_cache(maxsize=_FOLDERS)(self._listed)
        self._data = lru_cache(maxsize=1)(self._read)
        self._block = lru_cache(maxsize=_BLOCKS)(self._read_block)

    def places(self) -> Iterator[Place]:
        """Yield the files, in the order of their paths.

        Raises:
            InputError: the URL cannot be listed.
        """
        try:
            found = self._found()
        except Exception as error:
            problem = f"cannot be listed: {_words(error)}"
            raise InputError(self._url, problem, advice="check the URL and the access") from None
        if not found:
            raise InputError(self._url, "matches no file", advice="check the URL")
        is_file = found == [self._root]
        for name in sorted(found):
            yield Place(path=self._path(name), source=self._url, is_named=is_file)

    def _found(self) -> list[str]:
        if any(sign in self._root for sign in _SIGNS):
            matched = self._system.glob(self._root, detail=True)
            return [name for name, about in matched.items() if about.get("type") == "file"]
        return list(self._system.find(self._root))

    def _path(self, name: str) -> str:
        return self._begin + name.removeprefix(self._lead)

    def _name(self, path: str) -> str:
        return (self._lead + path.removeprefix(self._begin)).rstrip("/")

    def _listed(self, folder: str) -> dict[str, PathStatus]:
        try:
            found = self._system.ls(folder, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except Exception as error:
            raise OSError(errno.EIO, _words(error), folder) from None
        named = ((each["name"].rstrip("/").rpartition("/"), each) for each in found)
        return {name: _about(each) for (parent, _, name), each in named if parent.strip("/") == folder.strip("/")}

    def status(self, path: str) -> PathStatus:
        """Return what stands at a path."""
        name = self._name(path)
        if f"{self._root}/".startswith(f"{name}/") and name != self._root:
            return _FOLDER  # it is above what was asked for, and need not be readable
        parent, _, own = name.rpartition("/")
        found = self._entries(parent).get(own)
        if found is None and name == self._root and self._entries(name):
            return _FOLDER  # such as a bucket
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return found

    def names(self, folder: str) -> list[str]:
        """Return the names of what a folder holds."""
        self.status(folder)
        return sorted(self._entries(self._name(folder)))

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:  # noqa: ARG002 - it has buffers of its own
        """Open a file; a long one is read in blocks."""
        found = self.status(path)
        if found.kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if found.size <= _WHOLE:
            return io.BytesIO(self._data(path))
        stream: BinaryIO = self._asked(path, lambda name: self._system.open(name, "rb", block_size=_BLOCK))
        return stream

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file; of a long one, the blocks are read that are looked at."""
        size = self.status(path).size
        if size <= _WHOLE:
            return memoryview(self._data(path))
        return cast("memoryview", PartView(partial(self._part, path), 0, size, lambda *_: None))

    def _part(self, path: str, begin: int, end: int) -> bytes:
        first, last = begin // _BLOCK, max(begin, end - 1) // _BLOCK
        data = b"".join(self._block(path, each) for each in range(first, last + 1))
        return data[begin - first * _BLOCK : end - first * _BLOCK]

    def _read(self, path: str) -> bytes:
        data: bytes = self._asked(path, self._system.cat_file)
        return data

    def _read_block(self, path: str, number: int) -> bytes:
        begin = number * _BLOCK
        end = min(begin + _BLOCK, self.status(path).size)
        data: bytes = self._asked(path, lambda name: self._system.cat_file(name, start=begin, end=end))
        return data

    def _asked(self, path: str, ask: Callable[[str], Any]) -> Any:
        try:
            return ask(self._name(path))
        except FileNotFoundError:
            raise
        except Exception as error:
            raise OSError(errno.EIO, _words(error), path) from None


def listed(url: str) -> Iterator[Place]:
    """Yield the files of a URL.

    Raises:
        UsageError: fsspec, or what it needs for this kind of URL, is not installed.
        InputError: the URL cannot be listed.
    """
    yield from Remote(url).places()


def _opened(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        advice = "pip install 'opspec-lint[fsspec]', and what fsspec names for the kind of URL, such as s3fs"
        raise UsageError(f"{url}: reading a URL needs fsspec, which is not installed", advice=advice) from None
    try:
        system, root = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UsageError(f"{url}: {_words(error)}", advice="install what it names") from None
    except Exception as error:
        raise InputError(url, f"cannot be opened: {_words(error)}", advice="check the URL and the access") from None
    return system, root


def _beginning(url: str) -> str:
    """Return what the paths of files begin with: the kind of URL, or the archive that they are in."""
    first, chained, rest = url.partition("::")
    scheme = first.partition("://")[0]
    if chained:
        return f"{rest}/" if "://" in first else f"{scheme}::"
    return f"{scheme}://" if scheme not in ("file", "local") else _DISK


_DISK = "file://"
_FOLDER = PathStatus(kind="folder", size=0, stamp="folder")


def _about(found: Mapping[str, Any]) -> PathStatus:
    if found.get("type") == "directory":
        return _FOLDER
    size = int(found.get("size") or 0)
    stamp = ":".join(map(str, (size, *(found[each] for each in _STAMPS if found.get(each) is not None))))
    return PathStatus(kind="file", size=size, stamp=stamp)


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
