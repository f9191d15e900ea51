"""The decision on the exit code of an audit, from the answers for all models; no other module decides it.

Unknown is neither yes nor no: `--unknown` sets how it counts.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from opspec_lint.kit.errors import CLEAN, FAILED, FINDINGS
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural
from opspec_lint.report.answers import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.report.answers import Answer
    from opspec_lint.report.findings import Finding, Level

    Unknown: TypeAlias = Literal["error", "warning", "ignore"]

UNKNOWN: tuple[Unknown, ...] = ("error", "warning", "ignore")
"""The ways in which an unknown answer can count, the default in the middle."""
LEVEL_OF_UNKNOWN: Mapping[Unknown, Level] = {"error": "error", "warning": "warning", "ignore": "note"}
"""The level that a finding with an unknown answer gets."""
_MAX_NAMED = 20
"""Models that are named on standard error."""


def with_unknown_level(findings: Sequence[Finding], unknown: Unknown) -> tuple[Finding, ...]:
    """Return findings in which the level "warning", for an unknown answer, is the level that `--unknown` sets."""
    level = LEVEL_OF_UNKNOWN[unknown]
    return tuple(finding.replace(level=level) if finding.level == "warning" else finding for finding in findings)


def is_waived(findings: Sequence[Finding]) -> bool:
    """Return True if findings make the verdict worse than `loads`, and all of these findings are waived."""
    counting = [finding for finding in findings if finding.level in ("error", "warning")]
    return bool(counting) and not any(finding.counts for finding in counting)


class VerdictRow(NamedTuple):
    """The verdict on a model under a release by a loader.

    `is_waived` is True if waivers clear all findings that keep the verdict from being `loads`.
    """

    model: str
    release: str
    loader: str | None
    verdict: str
    is_waived: bool = False

    @property
    def answer(self) -> Answer:
        """The answer that counts: a waived verdict is a yes."""
        return "yes" if self.is_waived else answer(self.verdict)


class Requirement(Record):
    """The releases that have to load each model (None: at least one release), and how an unknown answer counts.

    `is_explained` adds a remark for each model that does not load, because the report lists releases that need not load
    it as well.
    """

    releases: frozenset[str] | None = None
    unknown: Unknown = "warning"
    is_explained: bool = False


class Decision(Record):
    """An exit code, and the remarks for standard error that explain it."""

    code: int
    remarks: tuple[str, ...] = ()

    def with_general(self, general: Sequence[Finding]) -> Decision:
        """Return the decision with findings that concern no model: one remark each, and code 1 for an error."""
        if not general:
            return self
        code = max(self.code, FINDINGS if any(finding.level == "error" for finding in general) else CLEAN)
        return self.replace(code=code, remarks=(*self.remarks, *map(_general_remark, general)))


def decide(rows: Iterable[VerdictRow], requirement: Requirement) -> Decision:
    """Return the exit code for the verdicts on models. All rows of one model must be adjacent.

    The code is 3 if a model cannot be read. It is 1 if a required release does not load a model, or, where none is
    required, if no release does. Unknown answers count as `requirement.unknown` says, if nothing else decides.
    """
    code = CLEAN
    unknown: list[str] = []
    missed: list[str] = []
    # The rows of a zoo come from a database and may be millions, so only those of one model are held at a time.
    for model, own in groupby(rows, key=attrgetter("model")):
        every = list(own)
        counting = [row for row in every if requirement.releases is None or row.release in requirement.releases]
        if any(row.verdict == "unreadable" and not row.is_waived for row in every):
            code = FAILED
            continue
        refusing = _refusing(counting, requirement)
        if refusing:
            code = max(code, FINDINGS)
            missed.append(f"error: {model} has to load in {_releases_text(refusing)}, and does not")
        elif doubtful := _doubtful(counting, requirement):
            unknown.append(f"{model}: it is unknown whether it loads in {_releases_text(doubtful)}")
    if requirement.unknown == "error" and unknown:
        code = max(code, FINDINGS)
    explained = missed if requirement.is_explained else ()
    return Decision(code=code, remarks=(*_truncate(explained), *_truncate(_remarks(unknown, requirement))))


def _general_remark(finding: Finding) -> str:
    """Return a finding that concerns no model as a line, with its place if it has one."""
    origin = finding.head_origin
    place = "" if origin is None else f"{origin.file}:{origin.line}: "
    return one_line(f"{finding.level}: {place}{finding.message} [{finding.rule}]; {finding.advice}")


def _refusing(rows: Sequence[VerdictRow], requirement: Requirement) -> list[VerdictRow]:
    """Return the rows that certainly make a model fail; an empty list if it does not fail."""
    refusing = [row for row in rows if row.answer == "no"]
    is_failure = bool(refusing) if requirement.releases is not None else len(refusing) == len(rows)
    return refusing if is_failure else []


def _doubtful(rows: Sequence[VerdictRow], requirement: Requirement) -> list[VerdictRow]:
    """Return the rows that leave it unknown whether a model fails."""
    # One release that loads the model is enough, so the unknown ones change nothing.
    if requirement.releases is None and any(row.answer == "yes" for row in rows):
        return []
    return [row for row in rows if row.answer == "unknown"]


def _releases_text(rows: Sequence[VerdictRow]) -> str:
    """Return the first release of some rows, and the number of the others."""
    names = list(dict.fromkeys(row.release for row in rows))
    return names[0] if len(names) == 1 else f"{names[0]} and {plural(len(names) - 1, 'other')}"


def _remarks(unknown: Sequence[str], requirement: Requirement) -> Iterator[str]:
    """Yield the remarks on unknown answers, unless they are ignored."""
    if requirement.unknown == "ignore":
        return
    for text in unknown:
        yield f"{requirement.unknown}: {text}"


def _truncate(remarks: Iterable[str]) -> list[str]:
    """Return the first remarks, followed by the number of the rest."""
    every = list(remarks)
    return every[:_MAX_NAMED] + ([f"and {len(every) - _MAX_NAMED} more models"] if len(every) > _MAX_NAMED else [])
