"""CRC-32C (Castagnoli), masked as the tables of checkpoints keep it."""

from __future__ import annotations

from functools import cache

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8


@cache
def _table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ _POLYNOMIAL if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


def extend(crc: int, data: bytes) -> int:
    """Return the CRC of some bytes that follow others whose CRC is given; 0 for none."""
    table = _table()
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    """Return a CRC as it is stored: rotated right by 15 bits, and a constant added."""
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF
