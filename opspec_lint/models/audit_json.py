"""Audits as JSON for programs; the schema is `documents/schemas/audit.schema.json`."""

from __future__ import annotations

import json
from collections import Counter

from opspec_lint.report.answers import counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.reach import ReleaseReach
    from opspec_lint.report.findings import Finding

VERSION = 1


def render(audits: Iterable[Audit], reaches: Sequence[ReleaseReach] = ()) -> str:
    """Return audits as JSON text, with the releases that load each model if all known releases were audited."""
    every = list(audits)
    document: dict[str, object] = {
        "version": VERSION,
        "counts": counts(Counter(audit.verdict for audit in every)),
        "audits": [_audit(audit) for audit in every],
    }
    if reaches:
        document["reaches"] = [_reach(reach) for reach in reaches]
    return json.dumps(document, indent=1) + "\n"


def _reach(reach: ReleaseReach) -> dict[str, object]:
    """Return the releases that load a model through a loader, as a JSON object."""
    return {
        "model": reach.model,
        "loader": reach.loader,
        "oldest": reach.oldest,
        "newest": reach.newest,
        "is_claimed": reach.is_claimed,
        "loads": list(reach.loading),
        "refusals": [
            {"release": refusal.release, "verdict": refusal.verdict, "reason": refusal.reason}
            for refusal in reach.refusals
        ],
        "unknown": [
            {"release": doubt.release, "reason": doubt.reason, "remedy": doubt.remedy} for doubt in reach.unknown
        ],
    }


def _audit(audit: Audit) -> dict[str, object]:
    """Return an audit as a JSON object."""
    return {
        "model": audit.model,
        "against": audit.against,
        "loader": audit.loader,
        "loads": audit.answer,
        "verdict": audit.verdict,
        "reason": audit.reason,
        "findings": [finding_record(finding) for finding in audit.findings],
    }


def finding_record(finding: Finding) -> dict[str, object]:
    """Return a finding as a JSON object."""
    waived = finding.waived
    return {
        "rule": finding.rule,
        "level": finding.level,
        "kind": finding.kind,
        "graph": finding.graph,
        "node": finding.node,
        "op": finding.op,
        "name": finding.name,
        "old": finding.old,
        "new": finding.new,
        "message": finding.message,
        "breaks": finding.breaks,
        "advice": finding.advice,
        "waived": None
        if waived is None
        else {"reason": waived.reason, "owner": waived.owner, "expires": waived.expires},
        "fingerprint": finding.fingerprint,
    }
