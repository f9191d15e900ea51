"""What is known of the terminal that a text is for."""

from __future__ import annotations

from opspec_lint.kit.record import Record


class Terminal(Record):
    """Where standard output leads.

    `color` tells whether colors are wanted; `width` is how many characters a line has, None where it is no terminal, so
    that no line has to be broken for it.
    """

    color: bool = False
    width: int | None = None
