"""Proofs as JSON for programs; `documents/schemas/proof.schema.json` is its schema."""

from __future__ import annotations

import json

from opspec_lint.proof.judge import VERDICTS
from opspec_lint.proof.tally import by_rule, totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.evidence import Evidence
    from opspec_lint.proof.prove import Proofs
    from opspec_lint.report.findings import Comparison, Side

VERSION = 1


def render(comparison: Comparison, loader: str, result: Proofs, files: Mapping[bytes, str]) -> str:
    """Return the JSON text of proofs; `files` are the paths of written models, by their bytes."""
    proofs = result.proofs
    document = {
        "version": VERSION,
        "loader": loader,
        "base": _side(comparison.base),
        "head": _side(comparison.head),
        "profile": comparison.profile,
        "summary": dict(zip(VERDICTS, totals(proofs), strict=True)),
        "models": _models(result.evidence),
        "rules": [
            {"rule": rule, "direction": direction, **dict(zip(VERDICTS, counts, strict=True))}
            for (rule, direction), counts in by_rule(proofs).items()
        ],
        "proofs": [_proof(proof, files) for proof in proofs],
    }
    return json.dumps(document, indent=1) + "\n"


def _models(evidence: Evidence) -> dict[str, int]:
    """Return the value of "models": how many were tried, and how many of these are no evidence."""
    return {
        "tried": evidence.tried,
        "not_taken_by_saver": evidence.not_taken,
        "run": evidence.run,
        "not_run_by_saver": evidence.not_run,
    }


def _side(side: Side) -> dict[str, object]:
    """Return the value of "base" or "head"."""
    return {"file": side.file, "framework": side.provenance.framework, "version": side.provenance.version}


def _proof(proof: Proof, files: Mapping[bytes, str]) -> dict[str, object]:
    """Return an element of "proofs"."""
    finding, judgement = proof.finding, proof.judgement
    return {
        "fingerprint": finding.fingerprint,
        "rule": finding.rule,
        "level": finding.level,
        "kind": finding.kind,
        "op": finding.op,
        "name": finding.name,
        "direction": proof.direction,
        "verdict": judgement.verdict,
        "how": judgement.how,
        "reason": judgement.reason,
        "error": judgement.error or None,
        "saved_by": proof.releases.saver,
        "loaded_by": proof.releases.reader,
        "model": None if proof.model is None else files.get(proof.model),
    }
