"""The properties of the terminal that a text is written to."""

from __future__ import annotations

from opspec_lint.kit.record import Record


class Terminal(Record):
    """The destination of standard output.

    `color`: use colors. `has_links`: link texts to pages (OSC 8). `has_legend`: explain the terms of a report. `width`
    is the number of characters of a line, None if it is not a terminal.
    """

    color: bool = False
    width: int | None = None
    has_links: bool = False
    has_legend: bool = False
