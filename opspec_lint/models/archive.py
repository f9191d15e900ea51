"""Zip archives that contain a model, read within limits on memory.

An entry is decompressed on request, and never beyond the limit of the caller, so that a small archive cannot expand
without bounds. Nothing is written to a disk.
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
"""Bytes of the central directory, the list of entries."""
MAX_READ = 128 << 20
"""Bytes that are decompressed from one archive."""

_ENTRY = b"PK\x01\x02"
"""The signature of an entry in the central directory."""
_ENCRYPTED = 1
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError, IndexError)
"""The errors that zipfile raises for damaged data; NotImplementedError is a RuntimeError."""


class _Bounded:
    """A file for `zipfile` that limits the size of the central directory, which `zipfile` reads in one piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek = stream.seek
        self.tell = stream.tell
        self.seekable = stream.seekable
        self.is_listed = False

    def read(self, size: int = -1) -> bytes:
        """Return bytes of the file. Raises ValueError if the central directory has too many entries or bytes."""
        if self.is_listed:
            return self._stream.read(size)
        data = self._stream.read(MAX_LIST + 1 if size < 0 else min(size, MAX_LIST + 1))
        # zipfile makes an object per entry up to the end of the list, whatever number of them the archive states.
        count = data.count(_ENTRY)
        if len(data) > MAX_LIST or count > MAX_ENTRIES:
            raise ValueError(f"it lists {count} entries in {len(data)} bytes, more than any model has")
        return data


class Archive:
    """A zip archive. Raises InputError if the file is damaged, or lists more entries than any model has."""

    def __init__(self, candidate: Candidate) -> None:
        self.path = candidate.path
        self._bytes_left = MAX_READ
        try:
            self._stream = candidate.open()
        except OSError as error:
            raise cannot_read(self.path, error) from None
        try:
            self._archive = self._listed()
        except (*_ERRORS, MemoryError) as error:
            self._stream.close()
            raise self._damaged(str(error) or "its list of entries does not fit into memory") from None
        self._entries = {entry.filename: entry for entry in self._archive.infolist()}

    def __enter__(self) -> Archive:  # noqa: PYI034 - typing is not imported at start-up
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; the names and sizes of entries stay available."""
        self._archive.close()
        self._stream.close()

    def _listed(self) -> zipfile.ZipFile:
        """Return the opened archive, with its central directory read within the limits."""
        bounded = _Bounded(self._stream)
        archive = zipfile.ZipFile(bounded)
        # From here on, `Archive.read` limits what is read.
        bounded.is_listed = True
        return archive

    def _damaged(self, problem: str) -> InputError:
        """Return the error for a damaged archive."""
        return InputError(
            self.path, f"is not a readable zip archive: {problem}", advice="it may be truncated: copy it again"
        )

    def names(self) -> list[str]:
        """Return the names of the entries."""
        return list(self._entries)

    def size(self, name: str) -> int:
        """Return the uncompressed size that an entry states, in bytes."""
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
        limit = min(at_most, self._bytes_left)
        try:
            with self._archive.open(entry) as stream:
                data = stream.read(limit + 1)
        except (*_ERRORS, MemoryError) as error:
            raise self._damaged(f"'{name}': {error}") from None
        # One byte more than the limit was requested: the size that the entry states may be a lie.
        if len(data) > limit:
            raise self._damaged(f"'{name}' has more than {limit} bytes, the limit for such an entry")
        self._bytes_left -= len(data)
        return data
