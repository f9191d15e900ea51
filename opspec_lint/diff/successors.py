"""Which op takes the place of which, by its name: `SumV2` comes after `Sum`, and `SumV3` after both."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container


def successor(name: str, ops: Container[str]) -> str | None:
    """Return the op that comes next after one, among those there are; None where there is none."""
    stem, version = _split(name)
    following = (f"{stem}V{later}" for later in range(version + 1, version + _VERSIONS))
    return next((each for each in following if each in ops), None)


def predecessor(name: str, ops: Container[str]) -> str | None:
    """Return the op that comes last before one, among those there are; None where there is none."""
    stem, version = _split(name)
    if version < 2:
        return None
    earlier = (f"{stem}V{before}" if before > 1 else stem for before in range(min(version, _VERSIONS) - 1, 0, -1))
    return next((each for each in earlier if each in ops), None)


_VERSIONS = 5
"""How many versions are looked at; there is hardly an op with more."""


def _split(name: str) -> tuple[str, int]:
    """Return a name without its version, and the version; 1 where it has none."""
    stem, mark, digits = name.rpartition("V")
    if mark and stem and digits.isascii() and digits.isdecimal() and len(digits) < 4 and digits[0] != "0":
        return stem, int(digits)
    return name, 1
