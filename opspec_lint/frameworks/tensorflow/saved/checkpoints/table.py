"""Reading of the index of a checkpoint: a sorted table in LevelDB's format, blocks of keys and values and a footer.

All offsets and lengths come from the file and may be wrong or hostile: each is checked against the size of the file.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.models.files import cannot_read, open_file, require_fetched, stream_size
from opspec_lint.models.wire import varint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

MAGIC = (0xDB4775248B80FB57).to_bytes(8, "little")
"""The last bytes of a table."""
_FOOTER = 48
"""Bytes of the footer: two handles, padded, and the magic number."""
_LFS_HEAD = 64
"""Bytes that show whether a file is a pointer of git-lfs."""
_TRAILER = 5
"""Bytes after a block: the kind of its compression, and a CRC of 4 bytes."""
_SNAPPY = 1
"""The kind of compression by Snappy: older releases wrote such tables, and all releases read them."""
_MAX_BLOCK = 256 << 20
"""Limit of the bytes of a block; the whole index of a model with a million variables has a tenth of it."""


class CorruptTableError(InputError):
    """Error for a file that is not a table, or is damaged."""


def is_table(data: memoryview) -> bool:
    """Return whether the bytes of a file end like a table."""
    return data[-len(MAGIC) :] == MAGIC


def entries(path: str, *, only_first: bool = False) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of a table in their order; with `only_first`, only from the first data block.

    A damaged table raises CorruptTableError, a pointer of git-lfs LfsPointerError.
    """
    try:
        with open_file(path) as stream:
            require_fetched(path, stream.read(_LFS_HEAD))
            yield from _Table(stream, path).entries(only_first=only_first)
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError as error:
        raise CorruptTableError(path, f"is damaged: {error}", advice="restore it from a copy") from None


class _Table:
    """A table in an open file."""

    def __init__(self, stream: BinaryIO, path: str) -> None:
        self._stream = stream
        self._path = path
        self._size = stream_size(stream)
        # Blocks that overlap could make a small file expand to any size.
        self._bytes_left = 2 * self._size

    def entries(self, *, only_first: bool) -> Iterator[tuple[bytes, bytes]]:
        """Yield keys and values. The footer has handles of two blocks; the second one lists the data blocks."""
        footer = self._read_at(max(0, self._size - _FOOTER), _FOOTER)
        if len(footer) < _FOOTER or not footer.endswith(MAGIC):
            raise ValueError("it has no table footer")
        _, at = _read_handle(footer, 0)
        index, _ = _read_handle(footer, at)
        for _, value in _block_entries(self._block(index)):
            handle, _ = _read_handle(value, 0)
            yield from _block_entries(self._block(handle))
            if only_first:
                return

    def _block(self, handle: tuple[int, int]) -> bytes:
        """Return the checked and uncompressed bytes of the block with this offset and size."""
        offset, size = handle
        if offset + size + _TRAILER > self._size:
            raise ValueError("a block lies beyond the end of the file")
        if size > _MAX_BLOCK:
            raise ValueError(f"a block has {size} bytes")
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise ValueError("its blocks overlap")
        from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc32c

        data = self._read_at(offset, size + _TRAILER)
        block, kind, stored = data[:size], data[size], int.from_bytes(data[size + 1 :], "little")
        if crc32c.mask(crc32c.extend(0, data[: size + 1])) != stored:
            raise ValueError("the checksum of a block is wrong")
        if kind == _SNAPPY:
            from opspec_lint.models import snappy

            return snappy.uncompress(block, _MAX_BLOCK)
        if kind:
            raise ValueError(f"a block is compressed in a way that TensorFlow does not read ({kind})")
        return block

    def _read_at(self, offset: int, size: int) -> bytes:
        self._stream.seek(offset)
        return self._stream.read(size)


def _read_handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """Read a handle at an offset; return (offset, size) of its block, and the offset after the handle."""
    offset, at = varint(data, at)
    size, at = varint(data, at)
    return (offset, size), at


def _block_entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of a block; a key is stored as the length it shares with the previous one, and the rest."""
    # A block ends with the offsets of its restart points, for binary search, and their number.
    count = int.from_bytes(block[-4:], "little")
    end = len(block) - 4 - 4 * count
    if len(block) < 4 or end < 0:
        raise ValueError("a block is too short for its restart points")
    at, key = 0, b""
    while at < end:
        shared, at = varint(block, at)
        own, at = varint(block, at)
        length, at = varint(block, at)
        if shared > len(key) or own + length > end - at:
            raise ValueError("an entry is longer than its block")
        key = key[:shared] + block[at : at + own]
        at += own
        yield key, block[at : at + length]
        at += length
