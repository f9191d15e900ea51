"""The wire format of protobuf, field by field, for messages that are too large or too unsafe to decode whole."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_MAX_VARINT = 10
"""Bytes of a varint of 64 bits."""


def fields(data: bytes | memoryview) -> Iterator[tuple[int, int, int, int]]:
    """Yield the fields of a message as (number, wire type, begin, end), the positions of the payload.

    For a varint, begin is its value, and end the position behind it. Raises ValueError if the bytes are no message.
    """
    at, size = 0, len(data)
    while at < size:
        tag, at = varint(data, at)
        number, kind = tag >> 3, tag & 7
        if not number:
            raise ValueError("a field has the number 0")
        if kind == VARINT:
            value, at = varint(data, at)
            yield number, kind, value, at
            continue
        if kind == BYTES:
            length, at = varint(data, at)
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
        else:
            raise ValueError(f"a field has the wire type {kind}")
        if length > size - at:
            raise ValueError("a field is longer than the remaining data")
        yield number, kind, at, at + length
        at += length


def varint(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Return the varint at a position, and the position behind it. Raises ValueError if it does not end."""
    value = shift = 0
    for _ in range(_MAX_VARINT):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a varint does not end")


def leading_fields(data: bytes | memoryview, at_most: int = 64) -> list[tuple[int, int]] | None:
    """Return number and wire type of the first fields of a message, None if the bytes are no message."""
    leading = []
    try:
        for number, kind, _, _ in fields(data):
            leading.append((number, kind))
            if len(leading) == at_most:
                break
    except ValueError:
        return None
    return leading


def first_payload(data: bytes | memoryview, field_number: int) -> bytes | None:
    """Return the payload of the first field with a number and wire type BYTES, None if there is none."""
    try:
        for number, kind, begin, end in fields(data):
            if number == field_number and kind == BYTES:
                return bytes(data[begin:end])
    except ValueError:
        pass
    return None
