"""Zip archives that a model is kept in: what they hold, read within bounds.

Only what is asked for is decompressed, and no more of it than was said. Nothing is ever written to a disk.
"""

from __future__ import annotations

import struct
import zipfile
import zlib

from opspec_lint.kit.errors import InputError
from opspec_lint.models.files import cannot_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from opspec_lint.models.format import Candidate

MAX_ENTRIES = 200_000
"""Entries of an archive: each takes memory when the list is read; the largest models have some ten thousand."""
MAX_LIST = 64 << 20
"""Bytes of the list of entries."""
MAX_READ = 128 << 20
"""Bytes that are decompressed of one archive."""

_ENTRY = b"PK\x01\x02"
"""What each entry of the list begins with, whatever number of them the archive states."""
_ENCRYPTED = 1
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError, IndexError)
"""What zipfile raises for what is no archive, or a damaged one; NotImplementedError is a RuntimeError."""


class _Bounded:
    """The file of an archive as `zipfile` reads it, which takes the list of entries in one piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek = stream.seek
        self.tell = stream.tell
        self.seekable = stream.seekable
        self.is_listed = False

    def read(self, size: int = -1) -> bytes:
        """Return bytes; of the list, no more than any model has.

        Raises:
            ValueError: the list is longer, or has more entries.
        """
        if self.is_listed:
            return self._stream.read(size)
        data = self._stream.read(MAX_LIST + 1 if size < 0 else min(size, MAX_LIST + 1))
        count = data.count(_ENTRY)
        if len(data) > MAX_LIST or count > MAX_ENTRIES:
            raise ValueError(f"it lists {count} entries in {len(data)} bytes, more than any model has")
        return data


class Archive:
    """A zip archive.

    Args:
        candidate: the file.

    Raises:
        InputError: the file is no archive, or lists more entries than any model has.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.path = candidate.path
        self._left = MAX_READ
        try:
            self._stream = candidate.open()
        except OSError as error:
            raise cannot_read(self.path, error) from None
        try:
            self._archive = self._listed()
        except (*_ERRORS, MemoryError) as error:
            self._stream.close()
            raise self._damaged(str(error) or "its list of entries does not fit into memory") from None
        self._entries = {each.filename: each for each in self._archive.infolist()}

    def __enter__(self) -> Archive:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file: what an entry holds can no longer be read, but its name and size are known."""
        self._archive.close()
        self._stream.close()

    def _listed(self) -> zipfile.ZipFile:
        """Return the archive with its list of entries, which is read within bounds."""
        bounded = _Bounded(self._stream)
        archive = zipfile.ZipFile(bounded)
        bounded.is_listed = True
        return archive

    def _damaged(self, problem: str) -> InputError:
        return InputError(self.path, f"is not a readable zip archive: {problem}", advice="is it complete?")

    def names(self) -> list[str]:
        """Return the names of its entries."""
        return list(self._entries)

    def size(self, name: str) -> int:
        """Return how many bytes an entry says that it has."""
        return self._entries[name].file_size

    def read(self, name: str, at_most: int) -> bytes:
        """Return the content of an entry.

        Raises:
            InputError: the entry has more than `at_most` bytes, is damaged, or is compressed in a way that no model is.
        """
        entry = self._entries[name]
        if entry.flag_bits & _ENCRYPTED:
            raise InputError(self.path, f"'{name}' is encrypted", advice="save the model without a password")
        if entry.compress_type not in _KNOWN:
            raise self._damaged(f"'{name}' is compressed by method {entry.compress_type}")
        limit = min(at_most, self._left)
        try:
            with self._archive.open(entry) as stream:
                data = stream.read(limit + 1)
        except (*_ERRORS, MemoryError) as error:
            raise self._damaged(f"'{name}': {error}") from None
        if len(data) > limit:
            raise self._damaged(f"'{name}' has more than {limit} bytes, the limit for such an entry")
        self._left -= len(data)
        return data
