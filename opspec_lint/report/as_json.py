"""Findings as JSON values, which the formats `json` and `jsonl` and the results of audits share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit
    from opspec_lint.report.findings import Approval, Finding, Proven, Since, Usage, Waived
    from opspec_lint.spec.model import Origin


def as_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON values."""
    return {
        "rule": finding.rule,
        "level": finding.level,
        "directions": list(finding.directions),
        "consequence": finding.consequence,
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
        "callers": list(finding.callers),
        "before": finding.declared[0],
        "after": finding.declared[1],
        "base_origin": _origin(finding.base_origin),
        "head_origin": _origin(finding.head_origin),
        "also": list(finding.also),
        "waived": _waived(finding.waived),
        "approval": _approval(finding.approval),
        "proofs": [_proven(proven) for proven in finding.proofs],
        "since": _since(finding.since),
        "usage": _usage(finding.usage),
        "fixes": [_fix(fix) for fix in finding.fixes],
        "fingerprint": finding.fingerprint,
    }


def _proven(proven: Proven) -> dict[str, Any]:
    """Return an element of "proofs"."""
    return {field: getattr(proven, field) for field in ("verdict", "direction", "loaded_by", "reason")}


def _since(since: Since | None) -> dict[str, Any] | None:
    """Return the value of "since"."""
    return None if since is None else {field: getattr(since, field) for field in since._fields}


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    """Return the value of "usage"."""
    return None if usage is None else {field: getattr(usage, field) for field in usage._fields}


def _fix(fix: Fix) -> dict[str, Any]:
    """Return an element of "fixes"."""
    return {"description": fix.description, "safety": fix.safety, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: Edit) -> dict[str, Any]:
    """Return an element of "edits" of a fix."""
    start, end = ({"line": line, "column": column} for line, column in (edit.start, edit.end))
    return {"file": edit.file, "start": start, "end": end, "text": edit.text}


def _approval(approval: Approval | None) -> dict[str, Any] | None:
    """Return the value of "approval"."""
    return None if approval is None else {"by": list(approval.by), "problem": approval.problem or None}


def _waived(waived: Waived | None) -> dict[str, Any] | None:
    """Return the value of "waived"."""
    if waived is None:
        return None
    return {"reason": waived.reason, "owner": waived.owner, "expires": waived.expires, "new": waived.is_new}


def _origin(origin: Origin | None) -> dict[str, Any] | None:
    """Return the value of "base_origin" or "head_origin"."""
    return None if origin is None else {"file": origin.file, "line": origin.line, "column": origin.column}
