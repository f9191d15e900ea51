"""Verdicts of an audit of many models as records for programs: JSON lines, one JSON document, or table rows."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

from opspec_lint.models.decision import is_waived
from opspec_lint.report.answers import answer, counts
from opspec_lint.report.findings import Finding
from opspec_lint.zoo.worker import PATH_MARK

_MANY = 500
"""Lines that are written at a time."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.zoo.results import ModelVerdict


def parts(verdicts: Iterable[ModelVerdict]) -> Iterator[str]:
    """Yield the JSON lines of the verdicts, many lines at a time."""
    left = lines(verdicts)
    while part := "".join(islice(left, _MANY)):
        yield part


def lines(verdicts: Iterable[ModelVerdict]) -> Iterator[str]:
    """Yield one JSON line for each verdict."""
    for verdict in verdicts:
        head = {
            "model": verdict.model,
            "against": verdict.against,
            "loader": verdict.loader,
            "loads": answer(verdict.verdict, verdict.reason),
            "verdict": verdict.verdict,
            "reason": verdict.reason,
        }
        # The findings are stored as JSON text; to decode and encode them again would take most of the time. So they
        # take the place of the brace at the end.
        yield f'{json.dumps(head)[:-1]}, "findings": {_findings_json(verdict)}}}\n'


def as_json(verdicts: Iterable[ModelVerdict]) -> Iterator[str]:
    """Yield one JSON document in parts, equal to the output of `audit --format json` for the same models."""
    outcomes: Counter[str] = Counter()
    beginning = '{"version": 1, "audits": [\n'
    before = beginning
    for line in lines(_count_outcomes(verdicts, outcomes)):
        yield before + line.rstrip("\n")
        before = ",\n"
    end = f'], "counts": {json.dumps(counts(outcomes))}}}\n'
    yield f"\n{end}" if outcomes else beginning + end


def _count_outcomes(verdicts: Iterable[ModelVerdict], outcomes: Counter[str]) -> Iterator[ModelVerdict]:
    """Yield the verdicts unchanged while `outcomes` counts them."""
    for verdict in verdicts:
        outcomes[verdict.verdict] += 1
        yield verdict


COLUMNS = ("model", "format", "against", "loader", "loads", "verdict", "reason", "failed", "findings")
"""The columns of a table of verdicts."""


def rows(verdicts: Iterable[ModelVerdict]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table of verdicts; findings are JSON text."""
    for verdict in verdicts:
        yield (
            verdict.model,
            verdict.format,
            verdict.against,
            verdict.loader,
            answer(verdict.verdict, verdict.reason),
            verdict.verdict,
            verdict.reason,
            verdict.failed,
            _findings_json(verdict),
        )


def findings_of(verdict: ModelVerdict) -> list[dict[str, Any]]:
    """Return the findings of a verdict as JSON records."""
    findings: list[dict[str, Any]] = json.loads(_findings_json(verdict))
    return findings


def _findings_json(verdict: ModelVerdict) -> str:
    return verdict.findings.replace(PATH_MARK, json.dumps(verdict.model)[1:-1])


def mark_waived(verdicts: Iterable[ModelVerdict], waivers: Waivers) -> Iterator[ModelVerdict]:
    """Yield the verdicts with the findings that waivers accept marked as waived."""
    for verdict in verdicts:
        records = findings_of(verdict)
        findings = [finding_of(record) for record in records]
        waive = waivers.waiver_step(findings)
        if waive is None or not findings:
            yield verdict
            continue
        after = [waive(finding) or finding for finding in findings]
        failed = any(finding.level == "error" and finding.counts for finding in after)
        clears = is_waived(after)
        marked = [record | {"waived": _waiver_record(finding)} for record, finding in zip(records, after, strict=True)]
        yield verdict.replace(failed=failed, findings=json.dumps(marked), is_waived=clears)


def finding_of(record: Mapping[str, Any]) -> Finding:
    """Return the finding that a JSON record of an audit describes."""
    names = ("rule", "level", "kind", "op", "name", "old", "new", "message", "breaks", "advice", "graph", "node")
    return Finding(event=record["rule"], directions=(), **{name: record[name] for name in names})


def _waiver_record(finding: Finding) -> dict[str, Any] | None:
    waived = finding.waived
    return None if waived is None else {"reason": waived.reason, "owner": waived.owner, "expires": waived.expires}
