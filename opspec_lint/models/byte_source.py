"""Random access to the bytes of a model file, which reads only the requested parts and caches none."""

from __future__ import annotations

from opspec_lint.models.files import cannot_read, checked_size, open_file, view_file

_WHOLE = 1 << 16
"""Bytes up to which a part is read at once; a longer part is mapped, so that only the pages in use are read."""


class ByteSource:
    """Bytes in memory, and the base class of other sources of bytes."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data) if isinstance(data, bytes) else data
        self.size = len(data)

    def read(self, begin: int, end: int) -> bytes:
        """Return the bytes from `begin` up to `end`."""
        return bytes(self._data[begin:end])

    def view(self, begin: int, end: int) -> memoryview:
        """Return the bytes from `begin` up to `end` without a copy."""
        return self._data[begin:end]

    def part(self, begin: int, end: int) -> ByteSource:
        """Return a source for the bytes from `begin` up to `end`, which are read on demand."""
        return _Part(self, begin, end)


class _Part(ByteSource):
    """A part of another source."""

    def __init__(self, whole: ByteSource, begin: int, end: int) -> None:
        self._whole = whole
        self._begin = begin
        self.size = end - begin

    def read(self, begin: int, end: int) -> bytes:
        return self._whole.read(self._begin + begin, self._begin + min(end, self.size))

    def view(self, begin: int, end: int) -> memoryview:
        return self._whole.view(self._begin + begin, self._begin + min(end, self.size))


class FileBytes(ByteSource):
    """The bytes of a file, which stays open.

    Raises:
        NoModelError: there is no such file.
        InputError: the file cannot be read, or is larger than any graph can be.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._mapped: memoryview | None = None
        try:
            # Unbuffered: the reader asks for exact parts, and a buffer would read weights behind them.
            self._stream = open_file(path, buffering=0)  # open for as long as the model is looked at
            self.size = checked_size(self._stream, path)
        except OSError as error:
            raise cannot_read(path, error) from None

    def read(self, begin: int, end: int) -> bytes:
        """Return the bytes from `begin` up to `end`. Raises InputError if they cannot be read."""
        try:
            self._stream.seek(begin)
            return self._stream.read(max(0, end - begin))
        except OSError as error:
            raise cannot_read(self._path, error) from None

    def view(self, begin: int, end: int) -> memoryview:
        """Return the bytes from `begin` up to `end`; of a long part, only the pages in use are read."""
        if end - begin <= _WHOLE:
            return memoryview(self.read(begin, end))
        if self._mapped is None:
            self._mapped = view_file(self._path)
        return self._mapped[begin:end]
