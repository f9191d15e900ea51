"""Audits as an HTML page: the picture of each model, in which the nodes that stop it are marked."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.models import audit_text
from opspec_lint.models.audit import audit_report
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import VIEWS, ShownModel
from opspec_lint.report.reporter import REPORTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.reach import ReleaseReach


_MAX_MODELS = 20
"""Models whose pictures one page has; more would make it too large for a browser."""


def render(audits: Sequence[Audit], reaches: Sequence[ReleaseReach] = (), site: str | None = None) -> str:
    """Return the page of the audited models, a list of findings if they are too many or one cannot be drawn.

    `site` is the address of a site of all ops, to which the ops of the models are linked.
    """
    if not 0 < len({audit.model for audit in audits}) <= _MAX_MODELS:
        return REPORTERS.load("html").render(audit_report(audits))
    try:
        return VIEWS.load("html").render(_shown_models(audits, reaches, site))
    except InputError:
        return REPORTERS.load("html").render(audit_report(audits))


def _shown_models(audits: Sequence[Audit], reaches: Sequence[ReleaseReach], site: str | None) -> Iterator[ShownModel]:
    """Yield each model with its audits, of the newest release first in an audit under all releases."""
    by_model: dict[str, list[Audit]] = {}
    for audit in audits[::-1] if reaches else audits:
        by_model.setdefault(audit.model, []).append(audit)
    for path in dict.fromkeys(audit.model for audit in audits):
        own = [reach for reach in reaches if reach.model == path]
        summary = audit_text.render((), own) if own else ""
        yield ShownModel(model=read_model(path), audits=tuple(by_model[path]), summary=summary, site=site)
