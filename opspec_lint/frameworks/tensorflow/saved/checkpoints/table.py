"""The sorted table that a checkpoint's index is, in the form of LevelDB: blocks of keys and values, and a footer.

Offsets and lengths come from the file: each is checked against its size, and no block is read twice.
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
_HEAD = 64
_TRAILER = 5
"""Bytes behind a block: how it is compressed, and its CRC."""
_SNAPPY = 1
"""How a block is compressed that Snappy compressed: older releases wrote such tables, and all read them."""
_LARGEST = 256 << 20
"""Bytes of one block; the index of a model with a million variables has a tenth of it."""


class CorruptTableError(InputError):
    """The file is no table, or a part of it is damaged."""


def is_table(data: memoryview) -> bool:
    """Tell whether the bytes of a file end like a table."""
    return data[-len(MAGIC) :] == MAGIC


def entries(path: str, *, only_first: bool = False) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys and values of a table, in its order.

    Args:
        path: the file.
        only_first: whether the first block of data is all that is read.

    Raises:
        LfsPointerError: the file is a pointer of git-lfs.
        CorruptTableError: the file is no table, or is damaged.
        InputError: the file cannot be read.
    """
    try:
        with open_file(path) as stream:
            require_fetched(path, stream.read(_HEAD))
            yield from _Table(stream, path).entries(only_first=only_first)
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError as error:
        raise CorruptTableError(path, f"is damaged: {error}", advice="restore it from a copy") from None


class _Table:
    def __init__(self, stream: BinaryIO, path: str) -> None:
        self._stream = stream
        self._path = path
        self._size = stream_size(stream)
        self._left = 2 * self._size

    def entries(self, *, only_first: bool) -> Iterator[tuple[bytes, bytes]]:
        footer = self._read(max(0, self._size - _FOOTER), _FOOTER)
        if len(footer) < _FOOTER or not footer.endswith(MAGIC):
            raise ValueError("it has no table footer")
        _, at = _handle(footer, 0)
        index, _ = _handle(footer, at)
        for _, value in _pairs(self._block(index)):
            handle, _ = _handle(value, 0)
            yield from _pairs(self._block(handle))
            if only_first:
                return

    def _block(self, handle: tuple[int, int]) -> bytes:
        offset, size = handle
        if offset + size + _TRAILER > self._size:
            raise ValueError("a block lies beyond the end of the file")
        if size > _LARGEST:
            raise ValueError(f"a block has {size} bytes")
        self._left -= size
        if self._left < 0:
            raise ValueError("its blocks overlap")
        from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc

        data = self._read(offset, size + _TRAILER)
        block, kind, stored = data[:size], data[size], int.from_bytes(data[size + 1 :], "little")
        if crc.masked(crc.extend(0, data[: size + 1])) != stored:
            raise ValueError("the checksum of a block is wrong")
        if kind == _SNAPPY:
            from opspec_lint.models import snappy

            return snappy.uncompress(block, _LARGEST)
        if kind:
            raise ValueError(f"a block is compressed in a way that TensorFlow does not read ({kind})")
        return block

    def _read(self, offset: int, size: int) -> bytes:
        self._stream.seek(offset)
        return self._stream.read(size)


def _handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    offset, at = varint(data, at)
    size, at = varint(data, at)
    return (offset, size), at


def _pairs(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of a block; each key says how much it shares with the one before."""
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
