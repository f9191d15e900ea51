"""Recordings of all accesses to the storage while a model is read, so that it can be read again without its files.

Of each file, a recording keeps the accessed pages only: few of the weights. Paths are relative to the folder of the
model, so that equal models at different places give equal recordings.
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
from opspec_lint.models.storage import PathStatus, Storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

PAGE = 1 << 12
_MAX_WHOLE = 1 << 18
"""Bytes up to which a file that is viewed is kept whole; of a longer one, the accessed pages."""
_MAX_COPIED = 1 << 12
"""Bytes up to which a slice of a view counts as accessed at once; a longer slice is a view again."""
_LENGTH = struct.Struct("<I")


class NotRecordedError(Exception):
    """An error: an access that was not made when the model was recorded. The files have to be read again."""


class RecordedFile(Record):
    """The recorded parts of a file: the size of the whole file, and (begin, bytes) of each part."""

    size: int
    parts: tuple[tuple[int, bytes], ...]

    def bytes(self, begin: int, end: int) -> bytes:
        """Return the bytes from `begin` up to `end`. Raises NotRecordedError if some are missing."""
        end = min(end, self.size)
        if begin >= end:
            return b""
        place = bisect_right(self.parts, begin, key=itemgetter(0)) - 1
        start, data = self.parts[place] if place >= 0 else (0, b"")
        if end > start + len(data):
            raise NotRecordedError
        return data[begin - start : end - start]


class Tape(Record):
    """A recording: the result of each access by path.

    `statuses` holds (kind, size), None for a path that does not exist, or the number of an error. `stamps` are the
    change stamps of files and folders; they detect a change of the model and are not encoded.
    """

    statuses: Mapping[str, tuple[str, int] | int | None]
    links: Mapping[str, bool]
    real: Mapping[str, str]
    names: Mapping[str, list[str]]
    files: Mapping[str, RecordedFile]
    stamps: Mapping[str, str]

    def encode(self) -> bytes:
        """Return the recording as bytes, without the stamps; equal recordings give equal bytes."""
        files = {
            name: [recorded.size, [[begin, len(data)] for begin, data in recorded.parts]]
            for name, recorded in sorted(self.files.items())
        }
        head = [self.statuses, self.links, self.real, self.names, files]
        # File names need not be UTF-8 on Unix.
        text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogateescape")
        contents = (data for _, recorded in sorted(self.files.items()) for _, data in recorded.parts)
        return b"".join((_LENGTH.pack(len(text)), text, *contents))


def decode(data: bytes) -> Tape:
    """Return the recording that `Tape.encode` made into bytes. Raises ValueError if the bytes are none."""
    try:
        at = _LENGTH.size + _LENGTH.unpack_from(data)[0]
        statuses, links, real, names, listed = json.loads(data[_LENGTH.size : at])
        files = {}
        for name, (size, places) in listed.items():
            parts = []
            for begin, length in places:
                parts.append((begin, data[at : at + length]))
                at += length
            files[name] = RecordedFile(size=size, parts=tuple(parts))
    except (struct.error, TypeError, AttributeError) as error:
        raise ValueError("the bytes are no tape") from error
    answers = {name: tuple(status) if isinstance(status, list) else status for name, status in statuses.items()}
    return Tape(statuses=answers, links=links, real=real, names=names, files=files, stamps={})


def compress(data: bytes) -> bytes:
    """Return bytes compressed at the fastest level."""
    return zlib.compress(data, 1)


def decompress(data: bytes) -> bytes:
    """Return the bytes that `compress` compressed. Raises ValueError if they are damaged."""
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise ValueError(str(error)) from None


def tape_name(path: str, folder: str) -> str:
    """Return a path as a recording names it: relative to the folder of the model for a path inside."""
    if path.startswith(folder):
        return path[len(folder) :]
    return os.curdir if path and path == folder.rstrip(os.sep) else path


def model_folder(path: str) -> str:
    """Return the folder of a model's path, with its separator; names in a recording are relative to it."""
    return path[: len(path) - len(os.path.basename(path))]


class Recorder(Storage):
    """A storage that records the accesses to another storage while the model at `path` is read."""

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage = storage
        self._folder = model_folder(path)
        self._statuses: dict[str, tuple[str, int] | int | None] = {}
        self._links: dict[str, bool] = {}
        self._real: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        self._pages: dict[str, set[int]] = {}
        self._whole: dict[str, memoryview] = {}
        self._stamps: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    def status(self, path: str) -> PathStatus:
        """Return and record the status of a file or folder."""
        name = self._register(path)
        try:
            status = self._storage.status(path)
        except FileNotFoundError:
            self._record(name, None, "")
            raise
        except (OSError, ValueError) as error:
            self._record(name, getattr(error, "errno", None) or errno.EINVAL, "?")
            raise
        # The size of a folder depends on the file system.
        self._record(name, (status.kind, status.size if status.kind == "file" else 0), status.stamp)
        return status

    def _record(self, name: str, answer: tuple[str, int] | int | None, stamp: str) -> None:
        """Record the status of a path; the stamp of the first access is kept, to detect later changes."""
        self._statuses[name] = answer
        self._stamps.setdefault(name, stamp)

    def is_link(self, path: str) -> bool:
        """Return and record whether a path is a link."""
        is_link = self._links[self._register(path)] = self._storage.is_link(path)
        return is_link

    def real_path(self, path: str) -> str:
        """Return and record the path with all links followed."""
        real = self._storage.real_path(path)
        self._real[self._register(path)] = tape_name(
            real, os.path.join(self._storage.real_path(self._folder or "."), "")
        )
        return real

    def names(self, folder: str) -> list[str]:
        """Return and record the names of the entries of a folder."""
        self.status(folder)
        names = self._storage.names(folder)
        # A file system lists in any order; equal models give equal recordings.
        self._names[self._register(folder)] = sorted(names)
        return names

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:
        """Open a file as a stream that records the pages that are read."""
        self.status(path)
        stream = self._storage.open(path, buffering=buffering)
        return cast("BinaryIO", _RecordingStream(stream, self._page_recorder(path)))

    def view(self, path: str) -> memoryview:
        """Return a view of a file; of a long file, the accessed pages are recorded."""
        size = self.status(path).size
        view = self._storage.view(path)
        note = self._page_recorder(path)
        if size <= _MAX_WHOLE:
            self._whole[self._register(path)] = view
            return view
        return cast("memoryview", PartView(lambda begin, end: view[begin:end], 0, len(view), note))

    def _page_recorder(self, path: str) -> Callable[[int, int], None]:
        """Return a callback that records the pages from `begin` up to `end`."""
        pages = self._pages.setdefault(self._register(path), set())

        def note(begin: int, end: int) -> None:
            if begin < end:
                pages.update(range(begin // PAGE, (end - 1) // PAGE + 1))

        return note

    def _register(self, path: str) -> str:
        """Return the recorded name of a path, and remember the path for it."""
        name = tape_name(path, self._folder)
        self._paths[name] = path
        return name

    def is_unchanged(self) -> bool:
        """Return True if every file and folder still has the stamp of its first access."""
        return all(current_stamp(self._storage, self._paths[name]) == stamp for name, stamp in self._stamps.items())

    def tape(self) -> Tape:
        """Return the recording. Raises OSError if a file no longer exists."""
        files = {name: self._recorded_file(self._paths[name], sorted(pages)) for name, pages in self._pages.items()}
        return Tape(
            statuses=self._statuses,
            links=self._links,
            real=self._real,
            names=self._names,
            files=files,
            stamps=self._stamps,
        )

    def _recorded_file(self, path: str, pages: list[int]) -> RecordedFile:
        """Return the recorded parts of a file."""
        whole = self._whole.get(self._register(path))
        if whole is not None:
            return RecordedFile(size=len(whole), parts=((0, bytes(whole)),) if whole else ())
        size = self._storage.status(path).size
        with self._storage.open(path) as stream:
            return RecordedFile(size=size, parts=tuple(_parts(stream, pages)))


def _parts(stream: BinaryIO, pages: list[int]) -> Iterator[tuple[int, bytes]]:
    """Yield (begin, bytes) for each series of consecutive pages."""
    first = 0
    for at in range(1, len(pages) + 1):
        if at == len(pages) or pages[at] != pages[at - 1] + 1:
            begin = pages[first] * PAGE
            stream.seek(begin)
            yield begin, stream.read((pages[at - 1] + 1) * PAGE - begin)
            first = at


def current_stamp(storage: Storage, path: str) -> str:
    """Return the stamp of a path, "" if it does not exist, and "?" if it cannot be examined."""
    try:
        return storage.status(path).stamp
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return "?"


class _RecordingStream:
    """A stream that calls `note` with the begin and end of all bytes that are read."""

    def __init__(self, stream: BinaryIO, note: Callable[[int, int], None]) -> None:
        self._stream = stream
        self._note = note
        self.seek = stream.seek
        self.tell = stream.tell
        self.seekable = stream.seekable
        self.close = stream.close

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, after a call of `note` for them."""
        begin = self._stream.tell()
        data = self._stream.read(size)
        self._note(begin, begin + len(data))
        return data

    def __enter__(self) -> _RecordingStream:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PartView:
    """A substitute for a memoryview whose bytes are fetched on access.

    Args:
        fetch: returns the bytes from a begin to an end.
        begin: the beginning of the view in these bytes.
        end: its end.
        note: a callback for each accessed part.
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
            if end - begin <= _MAX_COPIED:
                return memoryview(self._fetch_part(self._begin + begin, self._begin + end))
            return PartView(self._fetch, self._begin + begin, self._begin + end, self._note)
        place = self._begin + at
        if not self._begin <= place < self._end:
            raise IndexError(at)
        return self._fetch_part(place, place + 1)[0]

    def __bytes__(self) -> bytes:
        return bytes(self._fetch_part(self._begin, self._end))

    def _fetch_part(self, begin: int, end: int) -> Any:
        """Return bytes, after a call of `note` for them."""
        self._note(begin, end)
        return self._fetch(begin, end)


class Player(Storage):
    """A storage that answers from the recording of the model at `path`."""

    def __init__(self, tape: Tape, path: str) -> None:
        self._tape = tape
        self._folder = model_folder(path)

    def _answer(self, answers: Mapping[str, Any], path: str) -> Any:
        """Return the recorded answer for a path. Raises NotRecordedError if there is none."""
        name = tape_name(path, self._folder)
        if name not in answers:
            raise NotRecordedError
        return answers[name]

    def status(self, path: str) -> PathStatus:
        """Return the recorded status of a file or folder, or raise the recorded error."""
        answer = self._answer(self._tape.statuses, path)
        if answer is None or isinstance(answer, int):
            number = errno.ENOENT if answer is None else answer
            raise OSError(number, os.strerror(number), path)
        kind, size = answer
        return PathStatus(kind=kind, size=size, stamp="")

    def is_link(self, path: str) -> bool:
        """Return the recorded answer whether a path is a link."""
        return bool(self._answer(self._tape.links, path))

    def real_path(self, path: str) -> str:
        """Return the recorded path with all links followed."""
        # Real paths are only compared with each other, so any absolute folder will do.
        return os.path.normpath(os.path.join("/model", str(self._answer(self._tape.real, path))))

    def names(self, folder: str) -> list[str]:
        """Return the recorded names of the entries of a folder."""
        if tape_name(folder, self._folder) in self._tape.names:
            return list(self._answer(self._tape.names, folder))
        self.status(folder)
        raise NotRecordedError

    def open(self, path: str, *, buffering: int = -1) -> BinaryIO:  # noqa: ARG002 - it is in memory
        """Return a stream of the recorded parts of a file."""
        kind = self.status(path).kind
        if kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if kind == "other":
            raise NotAFileError
        return cast("BinaryIO", _ReplayStream(self._recorded_file(path)))

    def view(self, path: str) -> memoryview:
        """Return a view of the recorded parts of a file."""
        with self.open(path):
            taped = self._recorded_file(path)
        if taped.size <= _MAX_WHOLE:
            return memoryview(taped.bytes(0, taped.size))
        return cast("memoryview", PartView(taped.bytes, 0, taped.size, lambda *_: None))

    def _recorded_file(self, path: str) -> RecordedFile:
        """Return the recorded parts of a file."""
        recorded: RecordedFile = self._answer(self._tape.files, path)
        return recorded


class _ReplayStream:
    """A read-only stream of a recorded file."""

    def __init__(self, taped: RecordedFile) -> None:
        self._recorded_file = taped
        self._at = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._recorded_file.size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        pass

    def read(self, size: int = -1) -> bytes:
        """Return recorded bytes. Raises NotRecordedError if some are missing."""
        data = self._recorded_file.bytes(self._at, self._recorded_file.size if size < 0 else self._at + size)
        self._at += len(data)
        return data

    def __enter__(self) -> _ReplayStream:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
