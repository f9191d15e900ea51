"""The HTML page of `opspec-lint log`: charts of breaks by month and release and of ops by age, and a table of ops.

The page is one file that loads nothing and runs no script.
"""

from __future__ import annotations

import os
from collections import Counter

from opspec_lint.history.gaps import gap_text
from opspec_lint.history.releases import without_previews
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.history.gaps import Gap
    from opspec_lint.history.log import LoggedCommit
    from opspec_lint.history.store import Commit, History
    from opspec_lint.report.findings import Finding

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_BREAK = "error"
_WIDTH, _HEIGHT = 1040, 120
_NO_RELEASE = "in no release"


class ChartBar(Record):
    """A bar of a chart: its label, the count, and its position."""

    label: str
    count: int
    x: float
    width: float
    height: float


class OpEvent(Record):
    """A finding in the timeline of an op, and the commit that caused it."""

    commit: Commit
    release: str
    finding: Finding


class OpLine(Record):
    """The row of an op: the date it was added, the number of breaks, its events, newest first; `id` is the anchor."""

    id: str
    name: str
    since: str
    breaks: int
    events: tuple[OpEvent, ...]


class LogPage(Record):
    """The contents of the page; the bars of each chart are in the order of the chart."""

    source: str
    counts: str
    range: str
    months: tuple[ChartBar, ...]
    releases: tuple[ChartBar, ...]
    ages: tuple[ChartBar, ...]
    ops: tuple[OpLine, ...]
    gaps: tuple[str, ...]


def page(entries: Sequence[LoggedCommit], gaps: Sequence[Gap], history: History) -> LogPage:
    """Return the contents of the page; `entries` are the commits that changed the contract, newest first."""
    events = [
        OpEvent(commit=entry.commit, release=_release(entry), finding=finding)
        for entry in entries
        for finding in entry.findings
    ]
    breaks = [event for event in events if event.finding.level == _BREAK]
    first, last = history.first(), history.last()
    births = history.births()
    order = [tag.name for tag in history.tags()]
    years = Counter(date[:4] for date in births.values())
    return LogPage(
        source=history.about().get("source", ""),
        counts=", ".join(
            plural(len(items), noun) for items, noun in ((entries, "commit"), (events, "finding"), (breaks, "break"))
        ),
        range="" if first is None or last is None else f"{first.date} to {last.date}",
        months=_bars(Counter(event.commit.date[:7] for event in breaks), _months(breaks)),
        releases=_bars(Counter(event.release for event in breaks), [*order, _NO_RELEASE]),
        ages=_bars(years, sorted(years)),
        ops=tuple(_ops(events, births)),
        gaps=tuple(map(gap_text, gaps)),
    )


def render(entries: Sequence[LoggedCommit], gaps: Sequence[Gap], history: History) -> str:
    """Return the page as HTML; `entries` are the commits that changed the contract, newest first."""
    from opspec_lint.report import pages
    from opspec_lint.report.page import shown

    style = pages.inline_files(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "log.css"))
    template = pages.environment(_TEMPLATES, shown).get_template("log.html.jinja")
    return template.render(page=page(entries, gaps, history), style=style, style_hash=pages.policy_hash(style)) + "\n"


def _release(entry: LoggedCommit) -> str:
    return next(iter(without_previews(entry.releases)), _NO_RELEASE)


def _months(events: Iterable[OpEvent]) -> list[str]:
    """Return all months from the first event to the last, as YYYY-MM."""
    known = sorted({event.commit.date[:7] for event in events})
    if not known:
        return []
    (year, month), (last_year, last_month) = (map(int, text.split("-")) for text in (known[0], known[-1]))
    count = (last_year - year) * 12 + last_month - month + 1
    return [f"{year + (month - 1 + offset) // 12}-{(month - 1 + offset) % 12 + 1:02}" for offset in range(count)]


def _bars(counts: Counter[str], order: Iterable[str]) -> tuple[ChartBar, ...]:
    """Return the bars of a chart: months without a count have one too; other labels only with a count."""
    # Labels of months are YYYY-MM, and their axis is continuous.
    labels = [label for label in order if label in counts or label[4:5] == "-"]
    width = _WIDTH / max(len(labels), 1)
    highest = max(counts.values(), default=1)
    return tuple(
        ChartBar(
            label=label,
            count=counts[label],
            x=round(index * width, 2),
            width=round(max(width - 1, 0.5), 2),
            height=round(counts[label] / highest * _HEIGHT, 2),
        )
        for index, label in enumerate(labels)
    )


def _ops(events: Iterable[OpEvent], births: dict[str, str]) -> list[OpLine]:
    """Return the ops that have events, by falling number of breaks."""
    by_op: dict[str, list[OpEvent]] = {}
    for event in events:
        by_op.setdefault(event.finding.op or "", []).append(event)
    lines = [
        OpLine(
            id=f"op-{number}",
            name=name,
            since=births.get(name, ""),
            breaks=sum(event.finding.level == _BREAK for event in op_events),
            events=tuple(op_events),
        )
        for number, (name, op_events) in enumerate(sorted(by_op.items()))
    ]
    return sorted(lines, key=_by_breaks)


def _by_breaks(line: OpLine) -> tuple[int, int, str]:
    return -line.breaks, -len(line.events), line.name
