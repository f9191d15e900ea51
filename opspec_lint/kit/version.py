"""The numbers of a version, as specs name releases: `3.0.0`."""

from __future__ import annotations

_MOST_DIGITS = 9


def numbers(version: str | None) -> tuple[int, ...] | None:
    """Return the numbers of a version, None if it is not known or has another form, such as `develop` or `2.0rc1`."""
    parts = (version or "").split(".")
    if all(each.isascii() and each.isdecimal() and len(each) <= _MOST_DIGITS for each in parts):
        return tuple(map(int, parts))
    return None
