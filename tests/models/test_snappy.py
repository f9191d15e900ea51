"""Snappy's raw format: recorded output of google/snappy, hand-made elements, and damaged bytes."""

from __future__ import annotations

import pytest

from opspec_lint.models.snappy import uncompress

NAMES = b"layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE layer_with_weights-1/kernel/.ATTRIBUTES/VARIABLE_VALUE"
RECORDED = bytes.fromhex(
    "6dd86c617965725f776974685f776569676874732d302f6b65726e656c2f2e415454524942555445532f5641524941424c455f56414c5545"
    "204a37000031863700"
)
LARGE = 1 << 20


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (RECORDED, NAMES),
        (b"\x00", b""),
        (b"\x01\x00a", b"a"),
        (b"\x3d\xf0\x3c" + bytes(61), bytes(61)),  # a literal with its length in one byte
        (b"\x05\x00a\x01\x01", b"aaaaa"),  # a copy that overlaps what it writes
        (b"\x04\x04ab\x06\x02\x00", b"abab"),  # an offset of two bytes
        (b"\x04\x04ab\x07\x02\x00\x00\x00", b"abab"),  # and of four
    ],
)
def test_content(data, expected):
    assert uncompress(data, LARGE) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x02\x00a",  # too few bytes
        b"\x01\x04ab",  # too many
        b"\x04\x10ab",  # a literal that is cut off
        b"\x04\x00a\x01\x02",  # an offset before the beginning
        b"\x04\x00a\x01\x00",  # no offset
        b"\x04\x00a\x06\x01",  # an offset that is cut off
        b"\xff\xff\xff\xff\x0f\x00a",  # four gigabytes out of seven bytes
    ],
)
def test_damaged_bytes(data):
    with pytest.raises(ValueError, match=r"compressed block|varint"):
        uncompress(data, LARGE)


def test_the_largest_content():
    with pytest.raises(ValueError, match="claims to have 109 bytes"):
        uncompress(RECORDED, 100)
