"""The page of a summary: one file that loads nothing. Its script filters the table of models, and does nothing else."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.report.answers import VERDICTS, counted
from opspec_lint.zoo.summary import UNREADABLE
from opspec_lint.zoo.words import reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.zoo.summary import Cell, ModelLine, Stopper, Summary

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_WIDTH = 1000
_MOST_STOPPERS = 40
_MOST_ENDS = 40
_MOST_LINES = 5000
"""Models of the table; a page of more takes seconds to open."""


class Share(Record):
    """A part of a bar: the verdict that it stands for, the models, and where it is drawn."""

    verdict: str
    models: int
    x: float
    width: float


class Bar(Record):
    """A bar of a chart: what it is for, what it counts in words, and its parts."""

    label: str
    models: int
    parts: tuple[Share, ...]


class EndBar(Record):
    """The bar of the models that load between two releases; `verdict` gives its color."""

    loader: str
    reach: str
    verdict: str
    models: int
    width: float


class TableRow(Record):
    """A row of the table of models. `worst` is the worst of the verdicts, by which the table is filtered."""

    model: str
    format: str
    worst: str
    verdicts: tuple[tuple[str, str], ...]
    reaches: tuple[str, ...]
    problem: str


class ZooPage(Record):
    """All that stands on the page. `verdicts` are those that the table is filtered by, `key` those of the bars."""

    counts: str
    answers: str
    others: str
    bars: tuple[Bar, ...]
    stoppers: tuple[tuple[Stopper, float], ...]
    ends: tuple[EndBar, ...]
    rows: tuple[TableRow, ...]
    left_out: int
    formats: tuple[str, ...]
    verdicts: tuple[str, ...]
    key: tuple[str, ...]


def page(summary: Summary) -> ZooPage:
    """Return the contents of the page."""
    most = max((each.models for each in summary.stoppers), default=1)
    highest = max((end.models for end in summary.ends), default=1)
    rows = tuple(map(_row, summary.lines[:_MOST_LINES]))
    unread = [f"{summary.unread} that cannot be read"] if summary.unread else []
    formats = [f"{count} {name}" for name, count in summary.formats.items()]
    return ZooPage(
        counts=f"{plural(summary.models, 'model')}: {', '.join([*formats, *unread])}",
        answers=f"{plural(sum(summary.outcomes.values()), 'audit')}: {counted(summary.outcomes)}"
        if summary.outcomes
        else "",
        others=f"{plural(summary.others, 'file')} that are no models" if summary.others else "",
        bars=tuple(map(_bar, summary.cells)),
        stoppers=tuple((each, _WIDTH * each.models / most) for each in summary.stoppers[:_MOST_STOPPERS]),
        ends=tuple(
            EndBar(
                loader=end.loader,
                reach=reach(end.oldest, end.newest, is_unknown=end.is_unknown),
                verdict="loads" if end.oldest else "cannot_tell" if end.is_unknown else "refused",
                models=end.models,
                width=_WIDTH * end.models / highest,
            )
            for end in summary.ends[:_MOST_ENDS]
        ),
        rows=rows,
        left_out=max(0, summary.models - len(rows)),
        formats=tuple(sorted({each.format for each in rows})),
        verdicts=tuple(each for each in VERDICTS if any(row.worst == each for row in rows)),
        key=tuple(each for each in VERDICTS if any(each in cell.verdicts for cell in summary.cells)),
    )


def _bar(cell: Cell) -> Bar:
    loader = f" by {cell.loader}" if cell.loader else ""
    models = sum(cell.verdicts.values())
    return Bar(label=f"{cell.format} under {cell.against}{loader}", models=models, parts=tuple(_shares(cell.verdicts)))


def _shares(verdicts: Mapping[str, int]) -> Iterable[Share]:
    whole, x = sum(verdicts.values()), 0.0
    for each in VERDICTS:
        models = verdicts.get(each, 0)
        if models:
            width = _WIDTH * models / whole
            yield Share(verdict=each, models=models, x=round(x, 2), width=round(width, 2))
            x += width


def _row(line: ModelLine) -> TableRow:
    words = tuple(
        (f"{against}{f' by {loader}' if loader else ''}", verdict) for against, loader, verdict in line.verdicts
    )
    if line.format == UNREADABLE:
        words = (("", UNREADABLE),)
    return TableRow(
        model=line.model,
        format=line.format,
        worst=max((verdict for _, verdict in words), key=VERDICTS.index),
        verdicts=words,
        reaches=tuple(
            f"{each.loader}: {reach(each.oldest, each.newest, is_unknown=bool(each.unknown))}" for each in line.spans
        ),
        problem=line.problem,
    )


def render(summary: Summary) -> str:
    """Return the page as HTML."""
    from opspec_lint.report import pages
    from opspec_lint.report.page import shown

    style = pages.own(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "zoo.css"))
    script = pages.own(os.path.join(_TEMPLATES, "zoo.js"))
    template = pages.environment(_TEMPLATES, shown).get_template("zoo.html.jinja")
    found = template.render(
        page=page(summary),
        style=style,
        style_hash=pages.policy_hash(style),
        script=script,
        script_hash=pages.policy_hash(script),
    )
    return found + "\n"
