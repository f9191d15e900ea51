"""The properties of the terminal that a text is written to."""

from __future__ import annotations

from opspec_lint.kit.record import Record


class Terminal(Record):
    """The destination of standard output.

    `color` is whether to use colors. `width` is the number of characters of a line, None if it is not a terminal.
    """

    color: bool = False
    width: int | None = None
