"""Views, the output formats of a summary: each is a module of `zoo/views/` with a `VIEW`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.zoo.summary import Summary

VIEWS: Catalogue[View] = Catalogue("zoo/views", offers="VIEW")


class View(Record):
    """An output format of a summary; `render` returns the text."""

    render: Callable[[Summary], str]
