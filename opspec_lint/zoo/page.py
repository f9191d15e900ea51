"""The HTML page of a summary, one file that loads nothing; its script only filters the table of models."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.report.answers import VERDICTS
from opspec_lint.zoo.release_range import format_release_range
from opspec_lint.zoo.summary import UNREADABLE, outcomes_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.zoo.summary import ModelLine, ModelReason, RangeCount, Stopper, Summary, VerdictCell

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_WIDTH = 1000
_MOST_STOPPERS = 40
_MOST_ENDS = 40
_MOST_LINES = 5000
"""Models of the table; a page with more takes seconds to open."""


class Share(Record):
    """A segment of a bar: the models with one verdict, and the position of the segment."""

    verdict: str
    models: int
    x: float
    width: float


class Bar(Record):
    """A bar of a chart: its label, the number of models, and a segment for each verdict."""

    label: str
    models: int
    parts: tuple[Share, ...]


class RangeBar(Record):
    """The bar of the models with one verdict between two releases; `verdict` determines its color."""

    loader: str
    reach: str
    verdict: str
    models: int
    width: float


class TableRow(Record):
    """A row of the table of models; `kinds` are its different verdicts, the values of the filter."""

    model: str
    format: str
    kinds: tuple[str, ...]
    verdicts: tuple[tuple[str, str], ...]
    reaches: tuple[str, ...]
    problem: str


class ZooPage(Record):
    """The contents of the page; `verdicts` are the choices of the filter of the table, `key` the legend of the bars."""

    counts: str
    answers: str
    others: str
    bars: tuple[Bar, ...]
    stoppers: tuple[tuple[Stopper, float], ...]
    reasons: tuple[tuple[ModelReason, float], ...]
    ends: tuple[RangeBar, ...]
    rows: tuple[TableRow, ...]
    left_out: int
    formats: tuple[str, ...]
    verdicts: tuple[str, ...]
    key: tuple[str, ...]


def page(summary: Summary) -> ZooPage:
    """Return the contents of the page for a summary."""
    counts = [stopper.models for stopper in summary.stoppers] + [reason.models for reason in summary.model_reasons]
    most = max(counts, default=1)
    highest = max((end.models for end in summary.ends), default=1)
    rows = tuple(map(_row, summary.lines[:_MOST_LINES]))
    unread = [f"{summary.unread} that cannot be read"] if summary.unread else []
    formats = [f"{count} {name}" for name, count in summary.formats.items()]
    return ZooPage(
        counts=f"{plural(summary.models, 'model')}: {', '.join([*formats, *unread])}",
        answers=outcomes_text(summary) if summary.outcomes else "",
        others=f"{plural(summary.others, 'file')} that are no models" if summary.others else "",
        bars=tuple(map(_bar, summary.cells)),
        stoppers=tuple((stopper, _WIDTH * stopper.models / most) for stopper in summary.stoppers[:_MOST_STOPPERS]),
        reasons=tuple((reason, _WIDTH * reason.models / most) for reason in summary.model_reasons[:_MOST_STOPPERS]),
        ends=tuple(_range_bar(end, highest) for end in summary.ends[:_MOST_ENDS]),
        rows=rows,
        left_out=max(0, summary.models - len(rows)),
        formats=tuple(sorted({row.format for row in rows})),
        verdicts=tuple(verdict for verdict in VERDICTS if any(verdict in row.kinds for row in rows)),
        key=tuple(verdict for verdict in VERDICTS if any(verdict in cell.verdicts for cell in summary.cells)),
    )


def _bar(cell: VerdictCell) -> Bar:
    loader = f" by {cell.loader}" if cell.loader else ""
    models = sum(cell.verdicts.values())
    return Bar(label=f"{cell.format} under {cell.against}{loader}", models=models, parts=tuple(_shares(cell.verdicts)))


def _shares(verdicts: Mapping[str, int]) -> Iterable[Share]:
    whole, x = sum(verdicts.values()), 0.0
    for verdict in VERDICTS:
        models = verdicts.get(verdict, 0)
        if models:
            width = _WIDTH * models / whole
            yield Share(verdict=verdict, models=models, x=round(x, 2), width=round(width, 2))
            x += width


def _range_bar(end: RangeCount, highest: int) -> RangeBar:
    """Return the bar of a range of releases; `highest` is the number of models of the longest bar."""
    verdict = "cannot_tell" if end.is_unknown else "refused"
    if end.oldest:
        verdict = "loads"
    return RangeBar(
        loader=end.loader,
        reach=format_release_range(end.oldest, end.newest, is_unknown=end.is_unknown),
        verdict=verdict,
        models=end.models,
        width=_WIDTH * end.models / highest,
    )


def _row(line: ModelLine) -> TableRow:
    """Return a model of the summary as a row of the table."""
    verdicts = tuple(
        (f"{against}{f' by {loader}' if loader else ''}", verdict) for against, loader, verdict in line.verdicts
    )
    if line.format == UNREADABLE:
        verdicts = (("", UNREADABLE),)
    return TableRow(
        model=line.model,
        format=line.format,
        kinds=tuple(kind for kind in VERDICTS if any(verdict == kind for _, verdict in verdicts)),
        verdicts=verdicts,
        reaches=tuple(
            f"{span.loader}: {format_release_range(span.oldest, span.newest, is_unknown=bool(span.unknown))}"
            for span in line.spans
        ),
        problem=line.problem,
    )


def render(summary: Summary) -> str:
    """Return the page as HTML."""
    from opspec_lint.report import pages
    from opspec_lint.report.page import shown

    style = pages.inline_files(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "zoo.css"))
    script = pages.inline_files(os.path.join(_TEMPLATES, "zoo.js"))
    template = pages.environment(_TEMPLATES, shown).get_template("zoo.html.jinja")
    html = template.render(
        page=page(summary),
        style=style,
        style_hash=pages.policy_hash(style),
        script=script,
        script_hash=pages.policy_hash(script),
    )
    return html + "\n"
