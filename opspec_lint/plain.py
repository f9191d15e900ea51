"""Names and values of a spec as plain text: on one line, and without anything that would steer a terminal."""

from __future__ import annotations


def one_line(text: str) -> str:
    r"""Return a text with everything that is not printable written out, such as `\n` and `\x1b`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: `1 error`, `3 errors`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
