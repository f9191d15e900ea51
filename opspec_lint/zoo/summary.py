"""The summary of an audit of many models: counts of verdicts, stopping ops and release ranges, as plain records."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.kit.version import numbers
from opspec_lint.report.answers import answer, describe_verdicts
from opspec_lint.zoo import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.zoo.results import ModelVerdict, Results

MOST_LINES = 20_000
"""Models that are listed in a summary."""
_MOST_STOPPERS = 200
"""Ops that are listed under one spec."""
_MOST_REASONS = 5
UNREADABLE = "unreadable"


class VerdictCell(Record):
    """The number of models of a format by their verdict, under one spec and loader."""

    format: str
    against: str
    loader: str | None
    verdicts: Mapping[str, int]


class Stopper(Record):
    """An op that stops models under a spec: the number of models, the rules, and one model as an example."""

    against: str
    op: str
    models: int
    reasons: tuple[str, ...]
    example: str


class ModelReason(Record):
    """A reason that concerns no op and stops models under a spec: the number of models, the rule, and an example.

    `message` is the message about the example, without its path.
    """

    against: str
    loader: str | None
    rule: str
    message: str
    models: int
    example: str


class Span(Record):
    """The releases of the run between which a loader loads a model; both ends are None if it loads under none.

    `refused` are the releases under which it does not load, or computes something else; `unknown` the rest.
    """

    loader: str
    oldest: str | None
    newest: str | None
    refused: tuple[str, ...]
    unknown: tuple[str, ...] = ()


class RangeCount(Record):
    """The number of models that a loader loads from `oldest` to `newest`; both None for models that load under none.

    `is_unknown`: no release is known to load them, but some may.
    """

    loader: str
    oldest: str | None
    newest: str | None
    is_unknown: bool
    models: int


class SpecVerdict(NamedTuple):
    """The verdict on a model under a spec by a loader, None where no loader takes the model."""

    against: str
    loader: str | None
    verdict: str


class ModelLine(Record):
    """A model of the list: its format, its verdicts by spec and loader, and the releases between which it loads.

    `problem` is the reason why it cannot be read, or else the first error.
    """

    model: str
    format: str
    verdicts: tuple[SpecVerdict, ...]
    spans: tuple[Span, ...]
    problem: str


class Summary(Record):
    """Counts over all models.

    `formats` counts the models of each format, `others` the files that are no models, `unread` the models that cannot
    be read. `outcomes` counts the verdicts on models that can be read, `waived` the ones that waivers accept. `ends`
    counts models by loader, oldest and newest release. `lines` are the first models.
    """

    models: int
    others: int
    unread: int
    formats: Mapping[str, int]
    outcomes: Mapping[str, int]
    waived: int
    cells: tuple[VerdictCell, ...]
    stoppers: tuple[Stopper, ...]
    model_reasons: tuple[ModelReason, ...]
    ends: tuple[RangeCount, ...]
    lines: tuple[ModelLine, ...]


def summarize(results: Results, verdicts: Iterable[ModelVerdict]) -> Summary:
    """Return the summary of the results; `verdicts` are its verdicts with waivers applied."""
    formats = results.formats()
    others, unread = (formats.pop(name, 0) for name in ("", UNREADABLE))
    sums = _Sums()
    for _, model_verdicts in groupby(verdicts, key=attrgetter("model")):
        sums.add(list(model_verdicts))
    return Summary(
        models=sum(formats.values()) + unread,
        others=others,
        unread=unread,
        formats=formats,
        outcomes=sums.outcomes(),
        waived=sums.waived,
        cells=sums.cells(),
        stoppers=sums.stoppers(),
        model_reasons=sums.model_reasons(),
        ends=sums.ends(),
        lines=tuple(sums.lines),
    )


class _Sums:
    """Running counts over the models; of each model, only its line is kept."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str, str | None], Counter[str]] = {}
        self._stopped: Counter[tuple[str, str]] = Counter()
        self._reasons: dict[tuple[str, str], Counter[str]] = {}
        self._examples: dict[tuple[str, str], str] = {}
        self._ends: Counter[tuple[str, str | None, str | None, bool]] = Counter()
        self._model_reasons: dict[tuple[str, str | None, str], ModelReason] = {}
        self.waived = 0
        self.lines: list[ModelLine] = []

    def add(self, model_verdicts: Sequence[ModelVerdict]) -> None:
        """Count one model by all its verdicts."""
        for verdict in model_verdicts:
            if verdict.format != UNREADABLE:  # an unreadable model has the same verdict under every spec
                key = verdict.format, verdict.against, verdict.loader
                self._verdicts.setdefault(key, Counter())[verdict.verdict] += 1
                self.waived += verdict.is_waived
        problem = self._count_stopping_ops(model_verdicts)
        spans = tuple(_spans(model_verdicts))
        self._ends.update((span.loader, span.oldest, span.newest, _is_range_unknown(span)) for span in spans)
        if len(self.lines) < MOST_LINES:
            verdicts = tuple(
                SpecVerdict(verdict.against, verdict.loader, verdict.verdict) for verdict in model_verdicts
            )
            first = model_verdicts[0]
            line = ModelLine(model=first.model, format=first.format, verdicts=verdicts, spans=spans, problem=problem)
            self.lines.append(line)

    def _count_stopping_ops(self, model_verdicts: Sequence[ModelVerdict]) -> str:
        """Count the ops that stop a model, each once per spec, and other reasons; return the first message, or ""."""
        rule_by_op: dict[tuple[str, str], str] = {}
        message_by_reason: dict[tuple[str, str | None, str], str] = {}
        first_message = ""
        for verdict in model_verdicts:
            findings = lines.findings_of(verdict) if verdict.failed else ()
            for finding in findings:
                if finding["level"] == "error" and finding["waived"] is None:
                    message = str(finding["message"]).removeprefix(f"{verdict.model}: ")
                    first_message = first_message or message
                    if finding["op"]:
                        rule_by_op.setdefault((verdict.against, str(finding["op"])), str(finding["rule"]))
                    elif verdict.format != UNREADABLE:
                        reason = verdict.against, verdict.loader, str(finding["rule"])
                        message_by_reason.setdefault(reason, message)
        model = model_verdicts[0].model
        for spec_and_op, rule in rule_by_op.items():
            self._stopped[spec_and_op] += 1
            self._reasons.setdefault(spec_and_op, Counter())[rule] += 1
            self._examples.setdefault(spec_and_op, model)
        for (against, loader, rule), message in message_by_reason.items():
            known = self._model_reasons.get((against, loader, rule)) or ModelReason(
                against=against, loader=loader, rule=rule, message=message, models=0, example=model
            )
            self._model_reasons[against, loader, rule] = known.replace(models=known.models + 1)
        return first_message

    def model_reasons(self) -> tuple[ModelReason, ...]:
        """Return the reasons that concern no op, by falling number of models."""
        return tuple(
            sorted(self._model_reasons.values(), key=lambda reason: (-reason.models, reason.against, reason.rule))
        )

    def outcomes(self) -> Counter[str]:
        """Return the number of models and targets by verdict."""
        return sum(self._verdicts.values(), Counter())

    def cells(self) -> tuple[VerdictCell, ...]:
        """Return the counts by format, spec and loader, sorted."""
        return tuple(
            VerdictCell(format=form, against=against, loader=loader, verdicts=dict(counts))
            for (form, against, loader), counts in sorted(self._verdicts.items(), key=lambda item: str(item[0]))
        )

    def stoppers(self) -> tuple[Stopper, ...]:
        """Return the ops that stop models, by falling number of models."""
        listed_by_spec: Counter[str] = Counter()
        stoppers = []
        for (against, op), count in sorted(self._stopped.items(), key=lambda item: (-item[1], item[0])):
            listed_by_spec[against] += 1
            if listed_by_spec[against] <= _MOST_STOPPERS:
                key = against, op
                reasons = tuple(rule for rule, _ in self._reasons[key].most_common(_MOST_REASONS))
                stoppers.append(
                    Stopper(against=against, op=op, models=count, reasons=reasons, example=self._examples[key])
                )
        return tuple(stoppers)

    def ends(self) -> tuple[RangeCount, ...]:
        """Return the number of models by loader and range of releases, the most frequent range of a loader first."""

        def order(item: tuple[tuple[str, str | None, str | None, bool], int]) -> tuple[str, int, str]:
            key, count = item
            loader, *_ = key
            return loader, -count, str(key)

        ordered = sorted(self._ends.items(), key=order)
        return tuple(
            RangeCount(loader=loader, oldest=oldest, newest=newest, is_unknown=is_unknown, models=count)
            for (loader, oldest, newest, is_unknown), count in ordered
        )


def outcomes_text(summary: Summary) -> str:
    """Return the number of audits by answer, and how many waivers accept: `3 audits: 3 do not load; 1 waived`."""
    waived = f"; {summary.waived} waived" if summary.waived else ""
    return f"{plural(sum(summary.outcomes.values()), 'audit')}: {describe_verdicts(summary.outcomes)}{waived}"


def _is_range_unknown(span: Span) -> bool:
    """Return whether no release is known to load the model, while some may."""
    return span.oldest is None and bool(span.unknown)


def _spans(verdicts: Iterable[ModelVerdict]) -> Iterator[Span]:
    """Yield the range of releases in which a model loads, for each loader; specs without a version are left out."""
    by_loader: dict[str, list[tuple[tuple[str, tuple[int, ...]], ModelVerdict]]] = {}
    for verdict in verdicts:
        family, _, version = verdict.against.partition("@")
        release = numbers(version) if version else None
        if verdict.loader and release:
            by_loader.setdefault(verdict.loader, []).append(((family, release), verdict))
    for loader, releases in by_loader.items():
        ordered = [verdict for _, verdict in sorted(releases, key=lambda item: item[0])]
        by_answer: dict[str, list[str]] = {"yes": [], "no": [], "unknown": []}
        for verdict in ordered:
            by_answer[answer(verdict.verdict, verdict.reason)].append(verdict.against)
        loading = by_answer["yes"]
        yield Span(
            loader=loader,
            oldest=loading[0] if loading else None,
            newest=loading[-1] if loading else None,
            refused=tuple(by_answer["no"]),
            unknown=tuple(by_answer["unknown"]),
        )
