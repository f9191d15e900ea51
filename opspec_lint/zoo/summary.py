"""What the results of an audit say of all models together, as plain data."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter

from opspec_lint.kit.record import Record
from opspec_lint.kit.version import numbers
from opspec_lint.report.answers import answer
from opspec_lint.zoo import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.zoo.results import Results, Told

MOST_LINES = 20_000
"""Models that are listed one by one."""
_MOST_STOPPERS = 200
"""Ops that are listed under one spec."""
_MOST_REASONS = 5
UNREADABLE = "unreadable"


class Cell(Record):
    """How many models of a format have each verdict under a spec, by a loader."""

    format: str
    against: str
    loader: str | None
    verdicts: Mapping[str, int]


class Stopper(Record):
    """An op that stops models under a spec: how many, for which reasons, and one of them as an example."""

    against: str
    op: str
    models: int
    reasons: tuple[str, ...]
    example: str


class Span(Record):
    """Between which of the releases that were asked a model loads by a loader; None where it loads under none.

    `refused` are the releases under which it does not load, or means something else, `unknown` the rest.
    """

    loader: str
    oldest: str | None
    newest: str | None
    refused: tuple[str, ...]
    unknown: tuple[str, ...] = ()


class End(Record):
    """The number of models that a loader loads between two releases; None for models that load under none.

    `is_unknown` is whether that is unknown, as some release may load them.
    """

    loader: str
    oldest: str | None
    newest: str | None
    is_unknown: bool
    models: int


class ModelLine(Record):
    """A model: its format, its verdict under each spec by each loader, and between which releases it loads.

    `problem` is why it cannot be read, or else what stops it first.
    """

    model: str
    format: str
    verdicts: tuple[tuple[str, str | None, str], ...]
    spans: tuple[Span, ...]
    problem: str


class Summary(Record):
    """All models together.

    `formats` counts the models of each format, `others` the files that are no models, `unread` the models that cannot
    be read. `outcomes` counts the verdicts on models that can be read. `ends` counts models by loader, oldest and
    newest release. `lines` are the first models.
    """

    models: int
    others: int
    unread: int
    formats: Mapping[str, int]
    outcomes: Mapping[str, int]
    cells: tuple[Cell, ...]
    stoppers: tuple[Stopper, ...]
    ends: tuple[End, ...]
    lines: tuple[ModelLine, ...]


def summary(results: Results, verdicts: Iterable[Told]) -> Summary:
    """Return the summary of the results of all models.

    Args:
        results: the results.
        verdicts: the verdict on each model, with its waivers.
    """
    formats = results.formats()
    others, unread = (formats.pop(name, 0) for name in ("", UNREADABLE))
    sums = _Sums()
    for _, found in groupby(verdicts, key=attrgetter("model")):
        sums.add(list(found))
    return Summary(
        models=sum(formats.values()) + unread,
        others=others,
        unread=unread,
        formats=formats,
        outcomes=sums.outcomes(),
        cells=sums.cells(),
        stoppers=sums.stoppers(),
        ends=sums.ends(),
        lines=tuple(sums.lines),
    )


class _Sums:
    """What is counted while the models go by; nothing is kept of each but a line."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str, str | None], Counter[str]] = {}
        self._stopped: Counter[tuple[str, str]] = Counter()
        self._reasons: dict[tuple[str, str], Counter[str]] = {}
        self._examples: dict[tuple[str, str], str] = {}
        self._ends: Counter[tuple[str, str | None, str | None, bool]] = Counter()
        self.lines: list[ModelLine] = []

    def add(self, found: Sequence[Told]) -> None:
        """Count a model by all its verdicts."""
        for told in found:
            if told.format != UNREADABLE:  # it is so under every spec
                key = told.format, told.against, told.loader
                self._verdicts.setdefault(key, Counter())[told.verdict] += 1
        problem = self._stops(found)
        spans = tuple(_spans(found))
        self._ends.update((each.loader, each.oldest, each.newest, _is_open(each)) for each in spans)
        if len(self.lines) < MOST_LINES:
            verdicts = tuple((each.against, each.loader, each.verdict) for each in found)
            first = found[0]
            line = ModelLine(model=first.model, format=first.format, verdicts=verdicts, spans=spans, problem=problem)
            self.lines.append(line)

    def _stops(self, found: Sequence[Told]) -> str:
        """Count the ops that stop a model, each once under a spec, and return the first message."""
        stops: dict[tuple[str, str], str] = {}
        first = ""
        for told in found:
            for each in lines.findings_of(told) if told.failed else ():
                if each["level"] == "error" and each["waived"] is None:
                    first = first or str(each["message"]).removeprefix(f"{told.model}: ")
                    if each["op"]:
                        stops.setdefault((told.against, str(each["op"])), str(each["rule"]))
        for key, rule in stops.items():
            self._stopped[key] += 1
            self._reasons.setdefault(key, Counter())[rule] += 1
            self._examples.setdefault(key, found[0].model)
        return first

    def outcomes(self) -> Counter[str]:
        """Return the number of each verdict."""
        return sum(self._verdicts.values(), Counter())

    def cells(self) -> tuple[Cell, ...]:
        """Return the verdicts by format, spec and loader."""
        return tuple(
            Cell(format=form, against=against, loader=loader, verdicts=dict(counts))
            for (form, against, loader), counts in sorted(self._verdicts.items(), key=lambda each: str(each[0]))
        )

    def stoppers(self) -> tuple[Stopper, ...]:
        """Return the ops that stop models, those that stop most first."""
        taken: Counter[str] = Counter()
        found = []
        for (against, op), count in sorted(self._stopped.items(), key=lambda each: (-each[1], each[0])):
            taken[against] += 1
            if taken[against] <= _MOST_STOPPERS:
                key = against, op
                reasons = tuple(rule for rule, _ in self._reasons[key].most_common(_MOST_REASONS))
                found.append(
                    Stopper(against=against, op=op, models=count, reasons=reasons, example=self._examples[key])
                )
        return tuple(found)

    def ends(self) -> tuple[End, ...]:
        """Return how many models load from which release up to which, by loader."""
        ordered = sorted(self._ends.items(), key=lambda each: (each[0][0], -each[1], str(each[0])))
        return tuple(
            End(loader=loader, oldest=oldest, newest=newest, is_unknown=is_unknown, models=count)
            for (loader, oldest, newest, is_unknown), count in ordered
        )


def _is_open(span: Span) -> bool:
    """Tell whether no release is known to load a model, and some may."""
    return span.oldest is None and bool(span.unknown)


def _spans(found: Iterable[Told]) -> Iterator[Span]:
    """Yield between which releases a model loads, by each loader; a spec that names no release is none."""
    by_loader: dict[str, list[tuple[tuple[str, tuple[int, ...]], Told]]] = {}
    for told in found:
        family, _, version = told.against.partition("@")
        release = numbers(version) if version else None
        if told.loader and release:
            by_loader.setdefault(told.loader, []).append(((family, release), told))
    for loader, releases in by_loader.items():
        ordered = [told for _, told in sorted(releases, key=lambda each: each[0])]
        by_answer: dict[str, list[str]] = {"yes": [], "no": [], "unknown": []}
        for told in ordered:
            by_answer[answer(told.verdict, told.reason)].append(told.against)
        loading = by_answer["yes"]
        yield Span(
            loader=loader,
            oldest=loading[0] if loading else None,
            newest=loading[-1] if loading else None,
            refused=tuple(by_answer["no"]),
            unknown=tuple(by_answer["unknown"]),
        )
