"""What a view of models is: a module of `models/views/`, with a `VIEW`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.model import Model

VIEWS: Catalogue[View] = Catalogue("models/views", offers="VIEW")


class Seen(Record):
    """A model that is shown, with the audits whose findings are marked in it."""

    model: Model
    audits: tuple[Audit, ...] = ()


class View(Record):
    """A format that models are shown in. `marks` tells whether it marks what an audit found.

    `render` takes each model once, and keeps none: the file of a model is open for as long as the model is kept.
    """

    render: Callable[[Iterable[Seen]], str]
    marks: bool = False
