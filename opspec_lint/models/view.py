"""The declaration of a view, an output format of `show`: the `VIEW` of a module in `models/views/`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.model import Model

VIEWS: Catalogue[View] = Catalogue("models/views", offers="VIEW")


class ShownModel(Record):
    """A model to show, and the audits whose findings are marked in it.

    `summary` is the result of all audits as text, "" if each audit says enough. `is_compared`: the model is one of two
    whose differences are shown. `site` is the address of a site of all ops, None if the caller names none.
    """

    model: Model
    audits: tuple[Audit, ...] = ()
    summary: str = ""
    is_compared: bool = False
    site: str | None = None


class View(Record):
    """An output format for models; `marks` is True if it marks the findings of audits.

    `render` must consume the models one by one and keep none, because a model keeps its file open.
    """

    render: Callable[[Iterable[ShownModel]], str]
    marks: bool = False
