"""A request for the history of one op."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class RequestedOp(Record):
    """The only op whose history is needed. `announce` gets a line about its newest change as soon as that is known."""

    name: str
    announce: Callable[[str], None] = lambda _: None
