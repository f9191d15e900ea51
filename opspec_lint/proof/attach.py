"""Attaches stored proofs, the output of `prove --format json`, to the findings of a report."""

from __future__ import annotations

from functools import partial

from opspec_lint.documents.decode import read_document
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.steps import Steps
from opspec_lint.report.findings import Proven

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.report.findings import Comparison, Finding, Report


def attach_proofs(report: Report, paths: Sequence[str]) -> Report:
    """Return a report whose findings carry the proofs in files, if these are of the same two releases.

    A proof changes no level: a finding that a loader refutes still counts. Raises InputError if a file is no output of
    `prove`.
    """
    documents = [_read(path) for path in paths]
    comparisons = []
    for comparison in report.comparisons:
        by_finding: dict[str, list[Proven]] = {}
        for document in documents:
            if _fits(document, comparison):
                _collect(document, by_finding)
        comparisons.append(Steps(proven=partial(_with_proofs, by_finding)).apply(comparison))
    return report.replace(comparisons=tuple(comparisons))


def _read(path: str) -> dict[str, object]:
    """Return the validated content of a file of proofs."""
    from opspec_lint.documents.schema import faults, load

    document = read_document(path).value
    for fault in faults(document, load("proof")):
        raise InputError(
            path, fault.problem, where=fault.where, advice="name what `opspec-lint prove --format json` wrote"
        )
    typed: dict[str, Any] = document
    return typed


def _fits(document: dict[str, Any], comparison: Comparison) -> bool:
    """Return whether a file of proofs has the framework and releases of a comparison; an unknown release fits."""
    sides = zip((document["base"], document["head"]), (comparison.base, comparison.head), strict=True)
    return all(
        stated["framework"] == side.provenance.framework
        and (side.provenance.version is None or stated["version"] in (None, side.provenance.version))
        for stated, side in sides
    )


def _collect(document: dict[str, Any], by_finding: dict[str, list[Proven]]) -> None:
    """Add the tried proofs of a file to `by_finding`, by fingerprint."""
    for proof in document["proofs"]:
        if proof["verdict"] != "not_tried":
            by_finding.setdefault(proof["fingerprint"], []).append(
                Proven(
                    verdict=proof["verdict"],
                    direction=proof["direction"],
                    loaded_by=proof["loaded_by"],
                    reason=proof["reason"],
                )
            )


def _with_proofs(by_finding: dict[str, list[Proven]], finding: Finding) -> Finding:
    """Return a finding with its proofs."""
    return finding.replace(proofs=tuple(by_finding.get(finding.fingerprint, ())))
