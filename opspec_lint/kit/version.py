"""Versions of releases, such as `3.0.0`, as numbers."""

from __future__ import annotations

_MOST_DIGITS = 9


def numbers(version: str | None) -> tuple[int, ...] | None:
    """Return the numbers of a version, None if it is unknown or has another form, such as `develop` or `2.0rc1`."""
    parts = (version or "").split(".")
    if all(part.isascii() and part.isdecimal() and len(part) <= _MOST_DIGITS for part in parts):
        return tuple(map(int, parts))
    return None
