"""JSON for programs; `specs/report.schema.json` is its schema."""

from __future__ import annotations

import json

from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.report.findings import Approval, Comparison, Finding, Level, Report, Side, Waived
    from opspec_lint.spec.model import Origin

VERSION = 1

_LEVELS: tuple[Level, ...] = ("error", "warning", "note")


def render(report: Report) -> str:
    """Return the report as JSON text. A number that JSON cannot write is {"float": "NaN"} and the like."""
    findings = [_finding(finding, None) for finding in report.general]
    for index, each in enumerate(report.comparisons):
        findings += [_finding(finding, index) for finding in each.findings]
    summary: dict[str, int] = {level: report.count(level) for level in _LEVELS}
    document = {
        "version": VERSION,
        "base": report.base,
        "comparisons": [_comparison(each) for each in report.comparisons],
        "unchanged": list(report.unchanged),
        "summary": {**summary, "waived": len(report.waived), "approved": len(report.approved)},
        "release": _release(report),
        "findings": findings,
    }
    return json.dumps(document, indent=1) + "\n"


def _comparison(comparison: Comparison) -> dict[str, Any]:
    levels = [finding.level for finding in comparison.findings if finding.counts]
    return {
        "base": _side(comparison.base),
        "head": _side(comparison.head),
        "profile": comparison.profile,
        "only": None if comparison.only is None else list(comparison.only),
        "ignored": comparison.ignored,
        "summary": {level: levels.count(level) for level in _LEVELS},
    }


def _side(side: Side) -> dict[str, Any]:
    provenance = side.provenance
    return {
        "file": side.file,
        "framework": provenance.framework,
        "version": provenance.version,
        "commit": provenance.commit,
        "ops": side.ops,
    }


def _finding(finding: Finding, comparison: int | None) -> dict[str, Any]:
    return {
        "comparison": comparison,
        "rule": finding.rule,
        "level": finding.level,
        "directions": list(finding.directions),
        "relaxation": finding.is_relaxation,
        "kind": finding.kind,
        "op": finding.op,
        "name": finding.name,
        "new_name": finding.new_name,
        "confidence": finding.confidence,
        "field": finding.field,
        "old": finding.old,
        "new": finding.new,
        "message": finding.message,
        "breaks": finding.breaks,
        "advice": finding.advice,
        "review": finding.review,
        "base_origin": _origin(finding.base_origin),
        "head_origin": _origin(finding.head_origin),
        "also": list(finding.also),
        "waived": _waived(finding.waived),
        "approval": _approval(finding.approval),
        "fingerprint": finding.fingerprint,
    }


def _release(report: Report) -> dict[str, Any]:
    from opspec_lint.report import release
    from opspec_lint.report.versions import least_after

    found, versions = release.verdict(report), report.versions
    return {
        "part": found.part,
        "reason": found.reason,
        "fingerprint": None if found.finding is None else found.finding.fingerprint,
        "released": None if versions is None else versions.released.text,
        "next": None if versions is None or versions.next is None else versions.next.text,
        "least": None if versions is None else least_after(found.part, versions.released).text,
    }


def _approval(approval: Approval | None) -> dict[str, Any] | None:
    return None if approval is None else {"by": list(approval.by), "problem": approval.problem or None}


def _waived(waived: Waived | None) -> dict[str, Any] | None:
    if waived is None:
        return None
    return {"reason": waived.reason, "owner": waived.owner, "expires": waived.expires, "new": waived.is_new}


def _origin(origin: Origin | None) -> dict[str, Any] | None:
    return None if origin is None else {"file": origin.file, "line": origin.line, "column": origin.column}


REPORTER = Reporter(summary="JSON for programs, with a schema", render=render)
