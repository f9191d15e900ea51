"""A decoder for Snappy's raw format, which compresses table blocks (google/snappy, format_description.txt)."""

from __future__ import annotations

from opspec_lint.models.wire import varint

_LITERAL, _SHORT_COPY, _LONG_COPY = 0, 1, 3
_LONGEST_INLINE = 60
"""From this value on, the tag gives the number of bytes that hold the length of a literal."""
_MOST_GROWTH = 22
"""The highest compression ratio of the format: a copy of 64 bytes takes three."""


def uncompress(data: bytes, largest: int) -> bytes:
    """Return the content of compressed bytes.

    Raises:
        ValueError: the bytes are damaged, or the content has more than `largest` bytes.
    """
    length, at = varint(data, 0)
    if length > min(largest, _MOST_GROWTH * len(data)):
        raise ValueError(f"a compressed block claims to have {length} bytes")
    content = bytearray()
    while at < len(data):
        at = _literal(data, at, content) if data[at] & 3 == _LITERAL else _copy(data, at, content)
        if len(content) > length:
            break
    if len(content) != length:
        raise ValueError("a compressed block has another length than it states")
    return bytes(content)


def _literal(data: bytes, at: int, content: bytearray) -> int:
    """Append a literal to the content; return the position of the next element."""
    size = data[at] >> 2
    at += 1
    if size >= _LONGEST_INLINE:
        width = size - _LONGEST_INLINE + 1
        size = int.from_bytes(data[at : at + width], "little")
        at += width
    end = at + size + 1
    if end > len(data):
        raise ValueError("a compressed block is cut off")
    content += data[at:end]
    return end


def _copy(data: bytes, at: int, content: bytearray) -> int:
    """Append a copy of earlier content; return the position of the next element."""
    tag = data[at]
    kind = tag & 3
    if kind == _SHORT_COPY:
        # The tag has 3 bits of the size and the upper 3 bits of the offset; a byte follows with the others.
        size, high = 4 + (tag >> 2 & 7), tag >> 5 << 8
        width = 1
    else:
        size, high = (tag >> 2) + 1, 0
        width = 4 if kind == _LONG_COPY else 2
    end = at + 1 + width
    offset = high | int.from_bytes(data[at + 1 : end], "little")
    if end > len(data) or not 0 < offset <= len(content):
        raise ValueError("a compressed block refers to bytes that it does not have")
    start = len(content) - offset
    piece = content[start : start + size]
    # An offset shorter than the size repeats bytes that the copy itself writes, which is how Snappy encodes runs.
    content += (piece * (size // len(piece) + 1))[:size]
    return end
