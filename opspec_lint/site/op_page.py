"""The content of an op's page: its releases, its arguments by release, the loads of its models, and its changes."""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import distinct
from opspec_lint.lint import rulebook
from opspec_lint.site import cell_parts, loads, when
from opspec_lint.site.addresses import file_names
from opspec_lint.site.size_budget import SizeBudget
from opspec_lint.site.summary import Summaries
from opspec_lint.site.timeline import SECTION_OF
from opspec_lint.site.wording import command, older_version_text, proof_text, reason_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.history.store import Commit
    from opspec_lint.report.findings import Finding
    from opspec_lint.site.cell_parts import Part
    from opspec_lint.site.commits import Commits
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.loads import Outcome, Row
    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import DeclaredItem, OpTimeline, State

_HEADINGS = {kind: section.capitalize() for kind, section in SECTION_OF.items()}
_ROOM = 90_000
"""Characters of the arguments and changes on a page; the data has all."""
_MARKUP = 150
"""Characters of the markup of a line, and of a cell."""


class Column(Record):
    """Consecutive releases between which an op did not change, with the dates of the first and the last."""

    releases: str
    dates: tuple[str, ...]


class Cell(Compact):
    """Consecutive columns in which an op or argument has the same declaration."""

    width: int
    state: State
    parts: tuple[Part, ...]


class ItemRow(Record):
    """An op or argument: its anchor, the releases that added and removed it, and its cells."""

    id: str
    kind: str
    name: str
    since: str
    until: str
    cells: tuple[Cell, ...]


class Reason(Compact):
    """The reason why some releases do not load a model, or may change its results: a sentence, and the rule.

    `effect` says what becomes of a saved model, "" where the sentence says so.
    """

    releases: str
    verdict: str
    text: str
    effect: str
    rule: str | None
    proof: str


class Loads(Record):
    """Models of some releases: the releases that load them, and why others do not.

    `older` is the reason why releases older than the one that saved a model may not load it, with any op.
    """

    saved: str
    loaded: tuple[str, ...]
    reasons: tuple[Reason, ...]
    older: Reason | None


class Judged(Record):
    """The releases that load models in one way: its title, its profile, an equivalent command, and the rows.

    `crosses` is the title of the framework that loads the models, "" for their own.
    """

    crosses: str
    title: str
    profile: str
    command: str
    rows: tuple[Loads, ...]


class Change(Compact):
    """A finding about two neighbouring releases, and the commit behind it.

    `effect` is "stops" or "differs" if it stops saved models or may change their results, else "". `as_before` is
    the last release that was as this one is again, "" if there is none.
    """

    effect: str
    text: str
    rule: str
    commit: Commit | None
    as_before: str


class Changes(Record):
    """The changes of an op in a release; `left_out` more changes are not shown."""

    release: str
    date: str | None
    items: tuple[Change, ...]
    left_out: int


class OpView(Record):
    """An op: its anchor, one sentence, its table by heading of rows, where models load, and its changes."""

    id: str
    name: str
    sentence: str
    is_there: bool
    columns: tuple[Column, ...]
    groups: tuple[tuple[str, tuple[ItemRow, ...]], ...]
    left_out: int
    judged: tuple[Judged, ...]
    changes: tuple[Changes, ...]


class LineView:
    """Makes the views of the ops of a line.

    Args:
        line: the releases.
        ops: the timelines of all ops of the line.
        judged: how its models are judged, under its own releases first.
        commits: finds the commit behind a change.
    """

    def __init__(
        self, line: Line, ops: Mapping[str, OpTimeline], judged: Sequence[Judgements], commits: Commits
    ) -> None:
        self.line = line
        self.ops = ops
        self.judged = judged
        self.summaries = Summaries(line, ops, judged[0])
        self._commits = commits

    def views(self, names: Sequence[str]) -> list[OpView]:
        """Return the views of the ops of one page."""
        # The budget is for the page, so the first ops of a page get what they need, and later ones the rest.
        anchors, room = file_names(names), SizeBudget(_ROOM)
        return [self._view(name, anchors[name], room) for name in names]

    def _view(self, name: str, anchor: str, room: SizeBudget) -> OpView:
        """Return an op as its page shows it, with no more rows than the page has room for."""
        op = self.ops[name]
        starts = sorted({period.start for item in (op.whole, *op.arguments) for period in item.periods})
        rows = self._rows(op, anchor, starts)
        shown = room.take(rows, _size_of_row)
        return OpView(
            id=anchor,
            name=name,
            sentence=self.summaries.of_op(name),
            is_there=op.whole.is_there_last,
            columns=tuple(self._columns(starts)),
            groups=tuple(_groups(shown)),
            left_out=len(rows) - len(shown),
            judged=tuple(self._loads(op, judgements) for judgements in self.judged),
            changes=tuple(self._changes(op, room)),
        )

    def _columns(self, starts: Sequence[int]) -> Iterator[Column]:
        for first, end in pairwise([*starts, len(self.line.releases)]):
            yield Column(releases=when.releases(first, end - 1, self.line), dates=when.dates(first, end - 1, self.line))

    def _rows(self, op: OpTimeline, anchor: str, starts: Sequence[int]) -> list[ItemRow]:
        declared_items = [op.whole, *op.arguments]
        slugs = file_names(dict.fromkeys(item.name for item in declared_items))
        ids = distinct(f"{anchor}-{item.kind}-{slugs[item.name]}" for item in declared_items)
        return [self._row(item, id_, starts) for item, id_ in zip(declared_items, ids, strict=True)]

    def _row(self, item: DeclaredItem, id_: str, starts: Sequence[int]) -> ItemRow:
        """Return the row of an op or argument: a cell for each period in which its declaration is the same."""
        cells = (
            Cell(
                width=sum(period.start <= start < period.end for start in starts),
                state=period.state,
                parts=cell_parts.parts(item.kind, period, self.line.table),
            )
            for period in item.periods
        )
        return ItemRow(
            id=id_,
            kind=item.kind,
            name=item.name,
            since=", ".join(when.since(span, self.line) for span in item.spans),
            until=", ".join(gone for span in item.spans if (gone := when.until(span, self.line)) is not None),
            cells=tuple(cells),
        )

    def _loads(self, op: OpTimeline, judged: Judgements) -> Judged:
        """Return the table of the releases that load the models of each release with an op."""
        known: State = "there"
        targets = (known,) * len(judged.loading.releases) if judged.is_crossing else op.states
        rows = loads.rows(op.whole.name, op.states, targets, judged)
        return Judged(
            crosses=judged.loading.title if judged.is_crossing else "",
            title=judged.summary,
            profile=judged.profile,
            command=_command(op, judged),
            rows=tuple(self._loads_row(row, judged) for row in rows),
        )

    def _loads_row(self, row: Row, judged: Judgements) -> Loads:
        """Return a row of the table of loading: which releases load the models that some releases saved."""
        saved = ", ".join(when.releases(first, last, self.line) for first, last in _stretches(row.saved))
        oldest_saver = row.saved[0]
        reasons = (
            _reason(
                outcome,
                when.releases(first, last, judged.loading),
                is_older=last < oldest_saver and not judged.is_crossing,
            )
            for first, last, outcome in row.reasons
        )
        return Loads(
            saved=saved,
            loaded=tuple(when.releases(*places, judged.loading) for places in row.ranges),
            reasons=tuple(reasons),
            older=None if row.older is None else _reason_of_older(row.older),
        )

    def _changes(self, op: OpTimeline, room: SizeBudget) -> Iterator[Changes]:
        """Yield the changes of an op in each release, the newest first."""
        had: dict[object, dict[str, str]] = {}
        # Oldest first, since `had` collects earlier values; the page shows the newest release first.
        every = [(head, self._change_items(op, head, had)) for head in range(1, len(self.line.releases))]
        for head, items in reversed(every):
            if items:
                release, shown = self.line.releases[head], room.take(items, _size_of_change)
                more = len(items) - len(shown)
                yield Changes(release=release.label, date=release.date, items=shown, left_out=more)

    def _change_items(self, op: OpTimeline, head: int, had: dict[object, dict[str, str]]) -> list[Change]:
        """Return the changes of an op in a release; `had` has the earlier values, with their releases, by subject."""
        before, items = self.line.releases[head - 1], []
        for finding in self.judged[0].findings(head - 1, head, op.whole.name):
            values = had.setdefault((finding.kind, finding.name, finding.field), {})
            values[repr(finding.old)] = before.label
            back = values.get(repr(finding.new), "") if finding.field is not None else ""
            commit = self._commits.find_commit(finding, head - 1, head)
            items.append(
                Change(effect=_effect(finding), text=finding.message, rule=finding.rule, commit=commit, as_before=back)
            )
        return items


def _groups(rows: Iterable[ItemRow]) -> Iterator[tuple[str, tuple[ItemRow, ...]]]:
    """Yield rows by kind, each kind with its heading."""
    by_kind: dict[str, list[ItemRow]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    yield from ((heading, tuple(by_kind[kind])) for kind, heading in _HEADINGS.items() if kind in by_kind)


def _size_of_row(row: ItemRow) -> int:
    parts = [part for cell in row.cells for part in cell.parts]
    texts = sum(len(part.label) + len(part.text) + len(part.short) for part in parts)
    return len(row.id) + len(row.name) + texts + _MARKUP * (1 + len(row.cells) + len(parts) // 2)


def _size_of_change(change: Change) -> int:
    return len(change.text) + 2 * len(change.rule) + _MARKUP


def _effect(finding: Finding) -> str:
    if "backward" not in finding.directions:
        return ""
    return {"error": "stops", "warning": "differs"}.get(finding.level, "")


def _reason(outcome: Outcome, releases: str, *, is_older: bool) -> Reason:
    """Return the reason for an outcome in releases, which may be older than the release that saved the model."""
    finding = outcome.finding
    if finding is None:
        return Reason(
            releases=releases, verdict=outcome.verdict, text="could not be read", effect="", rule=None, proof=""
        )
    text = reason_text(finding, is_older=is_older, is_missing=outcome.is_missing)
    if outcome.older_version is not None:
        text = f"{text}; {older_version_text(outcome.older_version)}"
    return Reason(
        releases=releases,
        verdict=outcome.verdict,
        text=text,
        effect="" if outcome.is_missing else finding.breaks,
        rule=finding.rule,
        proof=proof_text(finding),
    )


def _reason_of_older(finding: Finding) -> Reason:
    """Return the reason of a finding about an older version of an op."""
    title = rulebook.load(finding.rule).title
    return Reason(
        releases="",
        verdict="not every model",
        text=f"{title[:1].lower()}{title[1:]}",
        effect="",
        rule=finding.rule,
        proof=proof_text(finding),
    )


def _command(op: OpTimeline, judged: Judgements) -> str:
    """Return the command for the oldest release that has an op, and the newest of all."""
    saved, head = op.states.index("there"), len(judged.loading.releases) - 1
    same = saved == head and not judged.is_crossing
    return command(judged, saved, 0 if same else head, op.whole.name)


def _stretches(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of places in a row."""
    start = places[0]
    for before, place in zip(places, [*places[1:], -1], strict=True):
        if place != before + 1:
            yield start, before
            start = place
