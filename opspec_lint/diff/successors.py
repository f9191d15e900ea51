"""Versions of ops in their names: `SumV2` comes after `Sum`, and `SumV3` after both."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container


def successor(name: str, ops: Container[str]) -> str | None:
    """Return the next version of an op among `ops`, None if there is none."""
    stem, version = _split_version(name)
    following = (f"{stem}V{later}" for later in range(version + 1, version + _VERSIONS))
    return next((candidate for candidate in following if candidate in ops), None)


def predecessor(name: str, ops: Container[str]) -> str | None:
    """Return the previous version of an op among `ops`, None if there is none."""
    stem, version = _split_version(name)
    if version < 2:
        return None
    earlier = (f"{stem}V{before}" if before > 1 else stem for before in range(min(version, _VERSIONS) - 1, 0, -1))
    return next((candidate for candidate in earlier if candidate in ops), None)


_VERSIONS = 5
"""The number of versions that are tried; hardly any op has more."""


def _split_version(name: str) -> tuple[str, int]:
    """Return a name without its version, and the version: `("Sum", 2)` for `SumV2`, `("Sum", 1)` for `Sum`."""
    stem, mark, digits = name.rpartition("V")
    if mark and stem and digits.isascii() and digits.isdecimal() and len(digits) < 4 and digits[0] != "0":
        return stem, int(digits)
    return name, 1
