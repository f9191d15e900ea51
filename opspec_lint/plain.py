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


def wrap(text: str, *, width: int, indent: str) -> list[str]:
    """Return a text as lines of at most `width`, broken at spaces; all but the first are indented two more."""
    lines, line = [], indent
    for word in text.split(" "):
        if len(line) + len(word) > width and line.strip():
            lines.append(line.rstrip())
            line = indent + "  "
        line += word + " "
    return [*lines, line.rstrip()]
