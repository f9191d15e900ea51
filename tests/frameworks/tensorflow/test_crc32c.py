from __future__ import annotations

import random

import pytest

from opspec_lint.frameworks.tensorflow.saved.checkpoints import crc32c


@pytest.mark.parametrize(
    ("data", "expected"), [(b"", 0), (b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43)]
)
def test_known_values(data, expected):
    """The check value of CRC-32C, and two of RFC 3720."""
    assert crc32c.extend(0, data) == expected


@pytest.mark.parametrize("more", range(5))
def test_many_bytes_at_once_have_the_same_crc_as_in_parts(more):
    data = random.Random(more).randbytes((1 << 18) + more)  # noqa: S311 - no secret
    in_parts = 0
    for at in range(0, len(data), 1000):
        in_parts = crc32c.extend(in_parts, data[at : at + 1000])
    assert crc32c.extend(0, data) == in_parts
