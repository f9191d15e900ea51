"""The bytes of a model file, of which a part is read at a time: what was looked at is not kept."""

from __future__ import annotations

from opspec_lint.models.files import cannot_read, open_file, size_of, view_file

_WHOLE = 1 << 16
"""Bytes that are read at once; of a longer part, only the pages that are looked at."""


class ByteSource:
    """Bytes in memory.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data) if isinstance(data, bytes) else data
        self.size = len(data)

    def read(self, begin: int, end: int) -> bytes:
        """Return the bytes from one place to another."""
        return bytes(self._data[begin:end])

    def view(self, begin: int, end: int) -> memoryview:
        """Return the bytes from one place to another without a copy."""
        return self._data[begin:end]

    def part(self, begin: int, end: int) -> ByteSource:
        """Return the bytes from one place to another as bytes of their own, which stay where they are."""
        return _Part(self, begin, end)


class _Part(ByteSource):
    def __init__(self, whole: ByteSource, begin: int, end: int) -> None:
        self._whole = whole
        self._begin = begin
        self.size = end - begin

    def read(self, begin: int, end: int) -> bytes:
        return self._whole.read(self._begin + begin, self._begin + min(end, self.size))

    def view(self, begin: int, end: int) -> memoryview:
        return self._whole.view(self._begin + begin, self._begin + min(end, self.size))


class FileBytes(ByteSource):
    """Bytes of a file.

    Args:
        path: the file.

    Raises:
        NoModelError: there is no such file.
        InputError: the file cannot be read, or is larger than any graph can be.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._mapped: memoryview | None = None
        try:
            self._stream = open_file(path, buffering=0)  # open for as long as the model is looked at
            self.size = size_of(self._stream, path)
        except OSError as error:
            raise cannot_read(path, error) from None

    def read(self, begin: int, end: int) -> bytes:
        """Return the bytes from one place to another.

        Raises:
            InputError: the bytes cannot be read.
        """
        try:
            self._stream.seek(begin)
            return self._stream.read(max(0, end - begin))
        except OSError as error:
            raise cannot_read(self._path, error) from None

    def view(self, begin: int, end: int) -> memoryview:
        """Return the bytes from one place to another; of many, those that are not looked at are not read.

        Raises:
            InputError: the bytes cannot be read.
        """
        if end - begin <= _WHOLE:
            return memoryview(self.read(begin, end))
        if self._mapped is None:
            self._mapped = view_file(self._path)
        return self._mapped[begin:end]
