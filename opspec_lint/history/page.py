"""What the page of a history shows, as plain data, and the page: breaks by month and release, ops by age and by breaks.

The page is one file that loads nothing and runs nothing.
"""

from __future__ import annotations

import os
from collections import Counter

from opspec_lint.history.gaps import gap_text
from opspec_lint.history.releases import final
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


class Bar(Record):
    """A bar of a chart: what it is for, what it counts, and where it is drawn."""

    label: str
    count: int
    x: float
    width: float
    height: float


class Event(Record):
    """A finding in the timeline of an op, and the commit that brought it."""

    commit: Commit
    release: str
    finding: Finding


class OpLine(Record):
    """An op: when it came, how many breaks it had, and what happened to it, newest first. `id` is its anchor."""

    id: str
    name: str
    since: str
    breaks: int
    events: tuple[Event, ...]


class LogPage(Record):
    """All that stands on the page; the bars of a chart are in their order."""

    source: str
    counts: str
    range: str
    months: tuple[Bar, ...]
    releases: tuple[Bar, ...]
    ages: tuple[Bar, ...]
    ops: tuple[OpLine, ...]
    gaps: tuple[str, ...]


def page(entries: Sequence[LoggedCommit], gaps: Sequence[Gap], history: History) -> LogPage:
    """Return the contents of the page.

    Args:
        entries: the commits that changed the contract, newest first.
        gaps: the revisions that could not be read.
        history: the history.
    """
    events = [
        Event(commit=each.commit, release=_release(each), finding=finding)
        for each in entries
        for finding in each.findings
    ]
    breaks = [each for each in events if each.finding.level == _BREAK]
    first, last = history.first(), history.last()
    births = history.births()
    order = [each.name for each in history.tags()]
    years = Counter(date[:4] for date in births.values())
    return LogPage(
        source=history.about().get("source", ""),
        counts=", ".join(
            plural(len(each), noun) for each, noun in ((entries, "commit"), (events, "finding"), (breaks, "break"))
        ),
        range="" if first is None or last is None else f"{first.date} to {last.date}",
        months=_bars(Counter(each.commit.date[:7] for each in breaks), _months(breaks)),
        releases=_bars(Counter(each.release for each in breaks), [*order, _NO_RELEASE]),
        ages=_bars(years, sorted(years)),
        ops=tuple(_ops(events, births)),
        gaps=tuple(map(gap_text, gaps)),
    )


def render(entries: Sequence[LoggedCommit], gaps: Sequence[Gap], history: History) -> str:
    """Return the page as HTML.

    Args:
        entries: the commits that changed the contract, newest first.
        gaps: the revisions that could not be read.
        history: the history.
    """
    from opspec_lint.report import pages
    from opspec_lint.report.page import shown

    style = pages.own(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "log.css"))
    template = pages.environment(_TEMPLATES, shown).get_template("log.html.jinja")
    return template.render(page=page(entries, gaps, history), style=style, style_hash=pages.policy_hash(style)) + "\n"


def _release(entry: LoggedCommit) -> str:
    return next(iter(final(entry.releases)), _NO_RELEASE)


def _months(events: Iterable[Event]) -> list[str]:
    """Return all months from the first event to the last, as YYYY-MM."""
    known = sorted({each.commit.date[:7] for each in events})
    if not known:
        return []
    (year, month), (last_year, last_month) = (map(int, each.split("-")) for each in (known[0], known[-1]))
    count = (last_year - year) * 12 + last_month - month + 1
    return [f"{year + (month - 1 + each) // 12}-{(month - 1 + each) % 12 + 1:02}" for each in range(count)]


def _bars(counts: Counter[str], order: Iterable[str]) -> tuple[Bar, ...]:
    """Return the bars of a chart: of months, one for each; else of what has a count."""
    labels = [each for each in order if each in counts or each[4:5] == "-"]
    width = _WIDTH / max(len(labels), 1)
    highest = max(counts.values(), default=1)
    return tuple(
        Bar(
            label=label,
            count=counts[label],
            x=round(place * width, 2),
            width=round(max(width - 1, 0.5), 2),
            height=round(counts[label] / highest * _HEIGHT, 2),
        )
        for place, label in enumerate(labels)
    )


def _ops(events: Iterable[Event], births: dict[str, str]) -> list[OpLine]:
    """Return the ops that something happened to, those with the most breaks first."""
    by_op: dict[str, list[Event]] = {}
    for each in events:
        by_op.setdefault(each.finding.op or "", []).append(each)
    lines = [
        OpLine(
            id=f"op-{number}",
            name=name,
            since=births.get(name, ""),
            breaks=sum(each.finding.level == _BREAK for each in found),
            events=tuple(found),
        )
        for number, (name, found) in enumerate(sorted(by_op.items()))
    ]
    return sorted(lines, key=_by_breaks)


def _by_breaks(line: OpLine) -> tuple[int, int, str]:
    return -line.breaks, -len(line.events), line.name
