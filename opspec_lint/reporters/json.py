"""JSON for programs; `specs/report.schema.json` is its schema."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.findings import Finding, Report, Side
    from opspec_lint.model import Origin

SUMMARY = "JSON for programs, with a schema"
VERSION = 1


def render(report: Report, *, color: bool = False) -> str:  # noqa: ARG001 - JSON has no colours
    """Return the report as JSON text. A number that JSON cannot write is {"float": "NaN"} and the like."""
    document = {
        "version": VERSION,
        "base": _side(report.base),
        "head": _side(report.head),
        "profile": report.profile,
        "only": None if report.only is None else list(report.only),
        "summary": {level: report.count(level) for level in ("error", "warning", "note")},
        "findings": [_finding(finding) for finding in report.findings],
    }
    return json.dumps(document, indent=1) + "\n"


def _side(side: Side) -> dict[str, Any]:
    provenance = side.provenance
    return {
        "file": side.file,
        "framework": provenance.framework,
        "version": provenance.version,
        "commit": provenance.commit,
        "ops": side.ops,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
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
        "fingerprint": finding.fingerprint,
    }


def _origin(origin: Origin | None) -> dict[str, Any] | None:
    return None if origin is None else {"file": origin.file, "line": origin.line, "column": origin.column}
