"""Input that may come from anybody is bounded, by limits that the documentation states."""

from __future__ import annotations

from opspec_lint.kit import limits

MIB = 1024 * 1024


def test_the_limits():
    assert (limits.MAX_BYTES, limits.MAX_SOURCE, limits.MAX_SOURCES) == (512 * MIB, 4 * MIB, 160 * MIB)
    assert limits.MAX_DEPTH == 64
