"""Names and values of a spec as plain text: on one line, without anything that controls a terminal or a CI runner."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


_CODES = pattern(r"\x1b\]8;;.*?\x1b\\|\x1b\[[\d;]*m")
"""Escape sequences of colors, and of the beginning and end of a link."""


def one_line(text: str) -> str:
    r"""Return a text that can be printed anywhere: characters that are not printable are escaped, as `\n` and `\x1b`.

    The same holds for the colon or bracket that makes a line of a GitHub Actions log a command: `::` at its beginning,
    and `##[` anywhere.
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    # GitHub Actions executes such lines of a log, and names of ops or files can come from anybody.
    if text.lstrip().startswith("::"):
        text = text.replace("::", r"\x3a:", 1)
    return text.replace("##[", r"##\x5b")


_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
"""Letters and symbols that show nothing: fillers and blanks."""


def is_visible(text: str) -> bool:
    """Return whether a text has a visible character: a letter, digit, punctuation mark or symbol that is no blank."""
    from unicodedata import category

    return any(category(char)[0] in "LNPS" and char not in _BLANK for char in text)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: `1 error`, `3 errors`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listing(names: Sequence[str], most: int) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def shorten(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters; an ellipsis replaces the rest."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts, with a number after each repeated one: `a`, `b`, `a-2`."""
    counts: dict[str, int] = {}
    result = []
    for text in texts:
        unused = text
        while unused in counts:
            counts[text] += 1
            unused = f"{text}-{counts[text]}"
        counts[unused] = 1
        result.append(unused)
    return result


def wrap(text: str, *, width: int, indent: str) -> list[str]:
    """Return a text as lines of at most `width`, broken at spaces; all but the first are indented two more."""
    lines, line = [], indent
    for token in text.split(" "):
        if len(line) + len(token) > width and line.strip():
            lines.append(line.rstrip())
            line = indent + "  "
        line += token + " "
    return [*lines, line.rstrip()]


def columns(rows: Sequence[Sequence[str]], *, right: Container[int] = (), most: int | None = None) -> list[str]:
    """Return the rows of a table as lines: each column as wide as its longest cell, two spaces between them.

    Args:
        rows: the cells; every row has as many.
        right: the numbers of the columns that are flush right.
        most: the greatest width of a column, beyond which cells stick out; None for no limit.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if most is not None:
        widths = [min(width, most) for width in widths]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        padded = (cell.rjust(width) if number in right else cell.ljust(width) for number, (cell, width) in cells)
        lines.append("  ".join(padded).rstrip())
    return lines


def fit_width(line: str, width: int) -> list[str]:
    """Return a line as lines of at most `width`, broken at spaces; codes for colors and links have no width.

    All but the first are indented two more, or less if a word needs the space. A longer word is not broken.
    """
    if len(line) <= width or _visible_length(line) <= width:
        return [line]
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    # `now` is the line that grows, and `room` the number of characters that still fit into it.
    lines, now, room = list[str](), " " * indent, width - indent
    for token in text.split(" "):
        length = _visible_length(token)
        if length > room and now.strip(" "):
            lines.append(now.rstrip(" "))
            indent_of_more = min(indent + 2, max(0, width - length))
            now, room = " " * indent_of_more, width - indent_of_more
        elif length > room:  # the first word: it moves to the left as far as it has to
            now, room = " " * max(0, width - length), min(width, length)
        now, room = f"{now}{token} ", room - length - 1
    return [*lines, now.rstrip(" ")]


def _visible_length(text: str) -> int:
    """Return the number of characters of a text that a terminal shows."""
    return len(_CODES.sub("", text)) if "\x1b" in text else len(text)


def join(*parts: str | int) -> str:
    """Return the path of a place in a document: `ops.matmul.inputs[0]`; a name that is not an identifier is quoted."""
    import json

    path = ""
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part.replace("@", "_").replace("-", "_").isidentifier():
            path += f".{part}" if path else part
        else:
            path += f"[{json.dumps(part)}]"
    return path


def is_day(text: str) -> bool:
    """Return whether a text is a day of the calendar, as YYYY-MM-DD."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def source_text(data: bytes) -> str:
    """Return the text of a source file with line feeds as line ends: a work tree on Windows may have others.

    A byte order mark becomes a blank: compilers pass over it.
    """
    text = data.decode("utf-8", "replace")
    if text.startswith("\ufeff"):
        text = f" {text[1:]}"
    # GCC and Clang end a line at a carriage return alone, too.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def is_encodable(text: str) -> bool:
    """Return whether a text is not empty, and can be written as UTF-8."""
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def is_utf8(data: bytes) -> bool:
    """Return whether bytes are a text in UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
