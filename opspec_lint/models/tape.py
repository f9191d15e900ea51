"""What was asked of a storage while a model was read, and the answers: with them the model is read without its files.

Of a file, the pages are kept that were looked at: of the weights, few. Paths are relative to the folder of the model,
so that a tape is the same wherever the model lies.
"""

from __future__ import annotations

import errno
import io
import json
import os
import struct
import zlib
from bisect import bisect_right
from operator import itemgetter
from typing import Any, cast

from opspec_lint.kit.named_file import NotAFileError
from opspec_lint.kit.record import Record
from opspec_lint.models.storage import About, Storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

PAGE = 1 << 12
_WHOLE = 1 << 18
"""Bytes of a file that is kept whole when it is viewed: of a longer one, only the pages that are looked at."""
_SHORT = 1 << 12
"""Bytes of a part of a view that counts as looked at when it is taken."""
_LENGTH = struct.Struct("<I")


class NotTapedError(Exception):
    """What is asked of a tape was not asked when the model was read: its files have to be read again."""


class Taped(Record):
    """The part of a file that was looked at: its size, and where parts begin, with their bytes."""

    size: int
    parts: tuple[tuple[int, bytes], ...]

    def bytes(self, begin: int, end: int) -> bytes:
        """Return the bytes from one place to another.

        Raises:
            NotTapedError: some of them were not read when the tape was recorded.
        """
        end = min(end, self.size)
        if begin >= end:
            return b""
        place = bisect_right(self.parts, begin, key=itemgetter(0)) - 1
        start, data = self.parts[place] if place >= 0 else (0, b"")
        if end > start + len(data):
            raise NotTapedError
        return data[begin - start : end - start]


class Tape(Record):
    """The answers: what stands at each path (None for nothing, a number for an error), and what else was asked.

    `stamps` are those of the files and folders, which tell whether the model was changed; they are no part of it.
    """

    found: Mapping[str, tuple[str, int] | int | None]
    links: Mapping[str, bool]
    real: Mapping[str, str]
    names: Mapping[str, list[str]]
    files: Mapping[str, Taped]
    stamps: Mapping[str, str]

    def encoded(self) -> bytes:
        """Return the tape as bytes, without the stamps: equal tapes give equal bytes."""
        files = {
            name: [each.size, [[begin, len(data)] for begin, data in each.parts]]
            for name, each in sorted(self.files.items())
        }
        head = [self.found, self.links, self.real, self.names, files]
        text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogateescape")
        data = (data for _, each in sorted(self.files.items()) for _, data in each.parts)
        return b"".join((_LENGTH.pack(len(text)), text, *data))


def decoded(data: bytes) -> Tape:
    """Return the tape of its bytes.

    Raises:
        ValueError: the bytes are no tape.
    """
    try:
        at = _LENGTH.size + _LENGTH.unpack_from(data)[0]
        found, links, real, names, listed = json.loads(data[_LENGTH.size : at])
        files = {}
        for name, (size, places) in listed.items():
            parts = []
            for begin, length in places:
                parts.append((begin, data[at : at + length]))
                at += length
            files[name] = Taped(size=size, parts=tuple(parts))
    except (struct.error, TypeError, AttributeError) as error:
        raise ValueError("the bytes are no tape") from error
    answers = {name: tuple(each) if isinstance(each, list) else each for name, each in found.items()}
    return Tape(found=answers, links=links, real=real, names=names, files=files, stamps={})


def packed(data: bytes) -> bytes:
    """Return bytes compressed, at little cost."""
    return zlib.compress(data, 1)


def unpacked(data: bytes) -> bytes:
    """Return the bytes that were compressed.

    Raises:
        ValueError: the compressed bytes are damaged.
    """
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise ValueError(str(error)) from None


def name_in(path: str, folder: str) -> str:
    """Return how a tape calls a path: relative to the folder of the model where it lies below it."""
    if path.startswith(folder):
        return path[len(folder) :]
    return os.curdir if path and path == folder.rstrip(os.sep) else path


def folder_of(path: str) -> str:
    """Return the folder that the names of a tape are relative to: that of the model's path, with its separator."""
    return path[: len(path) - len(os.path.basename(path))]


class Recorder(Storage):
    """A storage that notes what is asked of another one while a model is read.

    Args:
        storage: the other one.
        path: the model.
    """

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._folder = folder_of(path)
        self._found: dict[str, tuple[str, int] | int | None] = {}
        self._links: dict[str, bool] = {}
        self._real: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        self._pages: dict[str, set[int]] = {}
        self._whole: dict[str, memoryview] = {}
        self._stamps: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    def about(self, path: str) -> About:
        """Return the kind and size of a file or folder, and note them."""
        name = self._named(path)
        try:
            found = self._storage.about(path)
        except FileNotFoundError:
            self._note(name, None, "")
            raise
        except (OSError, ValueError) as error:
            self._note(name, getattr(error, "errno", None) or errno.EINVAL, "?")
            raise
        self._note(name, (found.kind, found.size if found.kind == "file" else 0), found.stamp)
        return found

    def _note(self, name: str, answer: tuple[str, int] | int | None, stamp: str) -> None:
        self._found[name] = answer
        self._stamps.setdefault(name, stamp)

    def is_link(self, path: str) -> bool:
        """Tell whether a path is a link, and note it."""
        found = self._links[self._named(path)] = self._storage.is_link(path)
        return found

    def real_path(self, path: str) -> str:
        """Return the path with all links followed, and note it."""
        found = self._storage.real_path(path)
        self._real[self._named(path)] = name_in(found, os.path.join(self._storage.real_path(self._folder or "."), ""))
        return found

    def names(self, folder: str) -> list[str]:
        """Return the names of the entries of a folder, and note them."""
        self.about(folder)
        found = self._storage.names(folder)
        self._names[self._named(folder)] = sorted(found)
        return found

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:
        """Open a file; what is read of it is noted."""
        self.about(path)
        stream = self._storage.open(path, buffering=buffering)
        return cast("BinaryIO", _NotedStream(stream, self._noting(path)))

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file; what is looked at of a long one is noted."""
        size = self.about(path).size
        view = self._storage.view(path)
        note = self._noting(path)
        if size <= _WHOLE:
            self._whole[self._named(path)] = view
            return view
        return cast("memoryview", PartView(lambda begin, end: view[begin:end], 0, len(view), note))

    def _noting(self, path: str) -> Callable[[int, int], None]:
        pages = self._pages.setdefault(self._named(path), set())

        def note(begin: int, end: int) -> None:
            if begin < end:
                pages.update(range(begin // PAGE, (end - 1) // PAGE + 1))

        return note

    def _named(self, path: str) -> str:
        name = name_in(path, self._folder)
        self._paths[name] = path
        return name

    def is_unchanged(self) -> bool:
        """Tell whether everything is as it was when it was asked for first."""
        return all(stamp_of(self._storage, self._paths[name]) == stamp for name, stamp in self._stamps.items())

    def tape(self) -> Tape:
        """Return the tape of all that was noted.

        Raises:
            OSError: a file is no longer there.
        """
        files = {name: self._taped(self._paths[name], sorted(pages)) for name, pages in self._pages.items()}
        return Tape(
            found=self._found,
            links=self._links,
            real=self._real,
            names=self._names,
            files=files,
            stamps=self._stamps,
        )

    def _taped(self, path: str, pages: list[int]) -> Taped:
        whole = self._whole.get(self._named(path))
        if whole is not None:
            return Taped(size=len(whole), parts=((0, bytes(whole)),) if whole else ())
        size = self._storage.about(path).size
        with self._storage.open(path) as stream:
            return Taped(size=size, parts=tuple(_parts(stream, pages)))


def _parts(stream: BinaryIO, pages: list[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the parts of a file that pages in a row make."""
    first = 0
    for at in range(1, len(pages) + 1):
        if at == len(pages) or pages[at] != pages[at - 1] + 1:
            begin = pages[first] * PAGE
            stream.seek(begin)
            yield begin, stream.read((pages[at - 1] + 1) * PAGE - begin)
            first = at


def stamp_of(storage: Storage, path: str) -> str:
    """Return the stamp of a path, "" where nothing stands there, and "?" where that cannot be told."""
    try:
        return storage.about(path).stamp
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return "?"


class _NotedStream:
    """A stream that notes what is read of it."""

    def __init__(self, stream: BinaryIO, note: Callable[[int, int], None]) -> None:
        self._stream = stream
        self._note = note
        self.seek = stream.seek
        self.tell = stream.tell
        self.seekable = stream.seekable
        self.close = stream.close

    def read(self, size: int = -1) -> bytes:
        begin = self._stream.tell()
        data = self._stream.read(size)
        self._note(begin, begin + len(data))
        return data

    def __enter__(self) -> _NotedStream:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PartView:
    """What a memoryview can do of bytes that are fetched when they are looked at.

    Args:
        fetch: returns the bytes from one place to another.
        begin: where the part begins in them.
        end: where it ends.
        note: is told what is looked at.
    """

    def __init__(
        self, fetch: Callable[[int, int], object], begin: int, end: int, note: Callable[[int, int], None]
    ) -> None:
        self._fetch = fetch
        self._begin = begin
        self._end = end
        self._note = note

    def __len__(self) -> int:
        return self._end - self._begin

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            begin, end, _ = at.indices(len(self))
            end = max(begin, end)
            if end - begin <= _SHORT:
                return memoryview(self._taken(self._begin + begin, self._begin + end))
            return PartView(self._fetch, self._begin + begin, self._begin + end, self._note)
        place = self._begin + at
        if not self._begin <= place < self._end:
            raise IndexError(at)
        return self._taken(place, place + 1)[0]

    def __bytes__(self) -> bytes:
        return bytes(self._taken(self._begin, self._end))

    def _taken(self, begin: int, end: int) -> Any:
        self._note(begin, end)
        return self._fetch(begin, end)


class Player(Storage):
    """A storage that answers from a tape.

    Args:
        tape: the tape.
        path: the model.
    """

    def __init__(self, tape: Tape, path: str) -> None:
        self._tape = tape
        self._folder = folder_of(path)

    def _answer(self, answers: Mapping[str, Any], path: str) -> Any:
        name = name_in(path, self._folder)
        if name not in answers:
            raise NotTapedError
        return answers[name]

    def about(self, path: str) -> About:
        """Return the recorded kind and size of a file or folder."""
        found = self._answer(self._tape.found, path)
        if found is None or isinstance(found, int):
            number = errno.ENOENT if found is None else found
            raise OSError(number, os.strerror(number), path)
        kind, size = found
        return About(kind=kind, size=size, stamp="")

    def is_link(self, path: str) -> bool:
        """Tell whether a path was a link."""
        return bool(self._answer(self._tape.links, path))

    def real_path(self, path: str) -> str:
        """Return the recorded path with all links followed."""
        return os.path.normpath(os.path.join("/model", str(self._answer(self._tape.real, path))))

    def names(self, folder: str) -> list[str]:
        """Return the recorded names of the entries of a folder."""
        if name_in(folder, self._folder) in self._tape.names:
            return list(self._answer(self._tape.names, folder))
        self.about(folder)
        raise NotTapedError

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:  # noqa: ARG002 - it is in memory
        """Open a file; what was not looked at cannot be read."""
        kind = self.about(path).kind
        if kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if kind == "other":
            raise NotAFileError
        return cast("BinaryIO", _TapedStream(self._taped(path)))

    def view(self, path: str) -> memoryview:
        """Return the bytes of a file; what was not looked at cannot be."""
        with self.open(path):
            taped = self._taped(path)
        if taped.size <= _WHOLE:
            return memoryview(taped.bytes(0, taped.size))
        return cast("memoryview", PartView(taped.bytes, 0, taped.size, lambda *_: None))

    def _taped(self, path: str) -> Taped:
        found: Taped = self._answer(self._tape.files, path)
        return found


class _TapedStream:
    def __init__(self, taped: Taped) -> None:
        self._taped = taped
        self._at = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._taped.size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        pass

    def read(self, size: int = -1) -> bytes:
        data = self._taped.bytes(self._at, self._taped.size if size < 0 else self._at + size)
        self._at += len(data)
        return data

    def __enter__(self) -> _TapedStream:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
