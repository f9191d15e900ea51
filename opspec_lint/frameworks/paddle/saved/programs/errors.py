"""What of an error of Paddle says what is wrong: between the call stack of C++ and the place in it."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_SUMMARY = pattern(r"Error Message Summary:\s*-+\s*(.*)", "s")
_PLACE = pattern(r"(?<!\s)\s*\(?\bat \(?/\S+:\d+\)?")


def told(error: str) -> str:
    """Return the message of an error on one line, without the place in Paddle's source."""
    found = _SUMMARY.search(error)
    return " ".join(_PLACE.sub("", found[1] if found else error).split())
