"""Models behind a URL, by fsspec: `s3://`, `gs://`, `hdfs://`, `zip://...::`, and what else it knows."""

from __future__ import annotations

import errno
from typing import Any

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.zoo.archives import MAX_READ, FilesInMemory
from opspec_lint.zoo.work import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SIGNS = "*?["
_STAMPS = ("ETag", "etag", "md5Hash", "LastModified", "mtime", "created", "modified", "CRC", "ino")
"""What the file systems say of a file that is another one when it was changed."""


class Remote(FilesInMemory):
    """The files below a URL.

    Args:
        url: the URL of a file or folder, or a pattern.

    Raises:
        UsageError: fsspec, or what it needs for this kind of URL, is not installed.
        InputError: the URL cannot be listed.
    """

    def __init__(self, url: str) -> None:
        self._system, root = _opened(url)
        self.is_file = False
        try:
            found = self._found(root)
        except Exception as error:
            raise InputError(url, f"cannot be listed: {_words(error)}", advice="check the URL and the access") from None
        if not found:
            raise InputError(url, "matches no file", advice="check the URL")
        self._names = {_shown(url, name): name for name in found}
        super().__init__({path: _about(found[name]) for path, name in self._names.items()})

    def _found(self, root: str) -> Mapping[str, Mapping[str, Any]]:
        if any(sign in root for sign in _SIGNS):
            matched = self._system.glob(root, detail=True)
            return {name: about for name, about in matched.items() if about.get("type") == "file"}
        found: dict[str, Mapping[str, Any]] = self._system.find(root, detail=True)
        self.is_file = list(found) == [root]
        return found

    def data(self, path: str) -> bytes:
        """Return the bytes of a file."""
        try:
            with self._system.open(self._names[path], "rb") as stream:
                data: bytes = stream.read(MAX_READ + 1)
        except FileNotFoundError:
            raise
        except Exception as error:
            raise OSError(errno.EIO, _words(error), path) from None
        if len(data) > MAX_READ:
            raise OSError(errno.EFBIG, f"it has more than {MAX_READ >> 20} MiB, the limit for a file of a URL", path)
        return data


def listed(url: str) -> Iterator[Place]:
    """Yield the files of a URL.

    Raises:
        UsageError: fsspec, or what it needs for this kind of URL, is not installed.
        InputError: the URL cannot be listed.
    """
    found = Remote(url)
    for path in sorted(found.paths()):
        yield Place(path=path, source=url, is_named=found.is_file)


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


def _shown(url: str, name: str) -> str:
    """Return how a file is called: as a URL, or below that of the archive that it is in."""
    first, chained, rest = url.partition("::")
    scheme = first.partition("://")[0]
    if chained:
        return f"{rest}/{name.lstrip('/')}" if "://" in first else f"{scheme}::{name}"
    return f"{scheme}://{name.lstrip('/')}" if scheme not in ("file", "local") else f"file://{name}"


def _about(found: Mapping[str, Any]) -> tuple[int, str]:
    size = int(found.get("size") or 0)
    return size, ":".join(map(str, (size, *(found[each] for each in _STAMPS if found.get(each) is not None))))


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
