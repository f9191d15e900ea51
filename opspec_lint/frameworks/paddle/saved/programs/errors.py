"""The message in an error of Paddle, without the C++ call stack and the place in Paddle's source."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_SUMMARY = pattern(r"Error Message Summary:\s*-+\s*(.*)", "s")
_PLACE = pattern(r"(?<!\s)\s*\(?\bat \(?/\S+:\d+\)?")


def error_message(error: str) -> str:
    """Return the message of an error on one line."""
    summary = _SUMMARY.search(error)
    return " ".join(_PLACE.sub("", summary[1] if summary else error).split())
