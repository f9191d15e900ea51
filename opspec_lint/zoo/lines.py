"""A line for each verdict, as JSON: what programs read of an audit of many models."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

from opspec_lint.models.decision import is_waived
from opspec_lint.report.answers import answer, counts
from opspec_lint.report.findings import Finding
from opspec_lint.zoo.worker import HERE

_MANY = 500
"""Lines that are written at a time."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.zoo.results import Told


def parts(verdicts: Iterable[Told]) -> Iterator[str]:
    """Yield the lines of the verdicts, many at a time."""
    left = lines(verdicts)
    while part := "".join(islice(left, _MANY)):
        yield part


def lines(verdicts: Iterable[Told]) -> Iterator[str]:
    """Yield the line of each verdict."""
    for each in verdicts:
        head = {
            "model": each.model,
            "against": each.against,
            "loader": each.loader,
            "loads": answer(each.verdict, each.reason),
            "verdict": each.verdict,
            "reason": each.reason,
        }
        yield f'{json.dumps(head)[:-1]}, "findings": {_placed(each)}}}\n'


def as_json(verdicts: Iterable[Told]) -> Iterator[str]:
    """Yield one JSON document in parts, as `audit` without results has it."""
    outcomes: Counter[str] = Counter()
    separator = '{"version": 1, "audits": [\n'
    for line in lines(_counted(verdicts, outcomes)):
        yield separator + line.rstrip("\n")
        separator = ",\n"
    end = f'], "counts": {json.dumps(counts(outcomes))}}}\n'
    yield f"\n{end}" if separator.startswith(",") else separator + end


def _counted(verdicts: Iterable[Told], outcomes: Counter[str]) -> Iterator[Told]:
    """Yield verdicts, and count them."""
    for verdict in verdicts:
        outcomes[verdict.verdict] += 1
        yield verdict


COLUMNS = ("model", "format", "against", "loader", "loads", "verdict", "reason", "failed", "findings")
"""Those of a table of verdicts."""


def rows(verdicts: Iterable[Told]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table of verdicts; findings are JSON text."""
    for each in verdicts:
        yield (
            each.model,
            each.format,
            each.against,
            each.loader,
            answer(each.verdict, each.reason),
            each.verdict,
            each.reason,
            each.failed,
            _placed(each),
        )


def findings_of(verdict: Told) -> list[dict[str, Any]]:
    """Return the findings of a verdict, as JSON has them."""
    found: list[dict[str, Any]] = json.loads(_placed(verdict))
    return found


def _placed(verdict: Told) -> str:
    return verdict.findings.replace(HERE, json.dumps(verdict.model)[1:-1])


def waived(verdicts: Iterable[Told], waivers: Waivers) -> Iterator[Told]:
    """Yield verdicts, the findings that waivers accept marked as waived."""
    for each in verdicts:
        records = findings_of(each)
        found = [_finding(record) for record in records]
        waive = waivers.waiving(found)
        if waive is None or not found:
            yield each
            continue
        after = [waive(finding) or finding for finding in found]
        failed = any(finding.level == "error" and finding.counts for finding in after)
        clears = is_waived(after)
        told = [record | {"waived": _word(finding)} for record, finding in zip(records, after, strict=True)]
        yield each.replace(failed=failed, findings=json.dumps(told), is_waived=clears)


def _finding(record: dict[str, Any]) -> Finding:
    names = ("rule", "level", "kind", "op", "name", "old", "new", "message", "breaks", "advice", "graph", "node")
    return Finding(event=record["rule"], directions=(), **{name: record[name] for name in names})


def _word(finding: Finding) -> dict[str, Any] | None:
    waived = finding.waived
    return None if waived is None else {"reason": waived.reason, "owner": waived.owner, "expires": waived.expires}
