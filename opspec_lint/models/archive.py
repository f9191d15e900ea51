"""Zip archives that a model is kept in: what they hold, read within bounds.

Only what is asked for is decompressed, and no more of it than was said. Nothing is ever written to a disk.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib

from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import NoModelError

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

_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LONGEST_COMMENT = 1 << 16
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError, IndexError)
"""What zipfile raises for what is no archive, or a damaged one; NotImplementedError is a RuntimeError."""


class Archive:
    """A zip archive.

    Args:
        candidate: the file.

    Raises:
        InputError: it is no archive, or lists more entries than any model has.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.path = candidate.path
        self._candidate = candidate
        self._left = MAX_READ
        try:
            with candidate.open() as stream:
                self._check_list(stream)
                with zipfile.ZipFile(stream) as archive:
                    self._entries = {each.filename: each for each in archive.infolist()}
        except FileNotFoundError:
            raise NoModelError(self.path, "there is no such file", advice="check the path") from None
        except _ERRORS as error:
            raise self._damaged(str(error)) from None
        except MemoryError:
            raise self._damaged("its list of entries does not fit into memory") from None

    def _damaged(self, problem: str) -> InputError:
        return InputError(self.path, f"is not a readable zip archive: {problem}", advice="is it complete?")

    def _check_list(self, stream: BinaryIO) -> None:
        """Make sure that the list of entries is one that can be read: each entry costs memory."""
        size = stream.seek(0, os.SEEK_END)
        begin = max(0, size - _LONGEST_COMMENT - _END.size)
        stream.seek(begin)
        tail = stream.read(size - begin)
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or at + _END.size > len(tail):
            raise ValueError("it has no list of entries at its end")
        count, length = _END.unpack_from(tail, at)[4:6]
        if at >= _LOCATOR.size and tail[at - _LOCATOR.size :].startswith(b"PK\x06\x07"):
            stream.seek(_LOCATOR.unpack_from(tail, at - _LOCATOR.size)[2])
            large = stream.read(_END_64.size)
            if len(large) == _END_64.size and large.startswith(b"PK\x06\x06"):
                count, length = _END_64.unpack(large)[7:9]
        if count > MAX_ENTRIES or length > MAX_LIST:
            raise ValueError(f"it lists {count} entries in {length} bytes, more than any model has")
        stream.seek(0)

    def names(self) -> list[str]:
        """Return the names of its entries."""
        return list(self._entries)

    def size(self, name: str) -> int:
        """Return how many bytes an entry says that it has."""
        return self._entries[name].file_size

    def read(self, name: str, at_most: int) -> bytes:
        """Return what an entry holds.

        Raises:
            InputError: it has more than `at_most` bytes, is damaged, or is compressed in a way that no model is.
        """
        entry = self._entries[name]
        if entry.compress_type not in _KNOWN:
            raise self._damaged(f"'{name}' is compressed by method {entry.compress_type}")
        limit = min(at_most, self._left)
        try:
            with self._candidate.open() as file, zipfile.ZipFile(file) as archive, archive.open(entry) as stream:
                data = stream.read(limit + 1)
        except (*_ERRORS, MemoryError) as error:
            raise self._damaged(f"'{name}': {error}") from None
        if len(data) > limit:
            raise self._damaged(f"'{name}' has more than {limit} bytes, the limit for such an entry")
        self._left -= len(data)
        return data
