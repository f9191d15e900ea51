"""Proofs that were made before, as findings of a report carry them: what `prove --format json` wrote."""

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


def attached(report: Report, paths: Sequence[str]) -> Report:
    """Return a report whose findings carry the proofs of some files, each those of its own two releases.

    A proof changes no level: a finding that a loader refutes counts as it did.

    Args:
        report: the report.
        paths: the files.

    Raises:
        InputError: a file is no report of `prove`.
    """
    every = [_read(path) for path in paths]
    comparisons = []
    for each in report.comparisons:
        by_finding: dict[str, list[Proven]] = {}
        for document in every:
            if _is_of(document, each):
                _gather(document, by_finding)
        comparisons.append(Steps(proven=partial(_with, by_finding)).of(each))
    return report.replace(comparisons=tuple(comparisons))


def _read(path: str) -> dict[str, object]:
    from opspec_lint.documents.schema import faults, load

    document = read_document(path).value
    for fault in faults(document, load("proof")):
        raise InputError(
            path, fault.problem, where=fault.where, advice="name what `opspec-lint prove --format json` wrote"
        )
    found: dict[str, Any] = document
    return found


def _is_of(document: dict[str, Any], comparison: Comparison) -> bool:
    """Tell whether proofs are of the two sides of a comparison: of their framework, and of no other releases."""
    sides = zip((document["base"], document["head"]), (comparison.base, comparison.head), strict=True)
    return all(
        said["framework"] == side.provenance.framework
        and (side.provenance.version is None or said["version"] in (None, side.provenance.version))
        for said, side in sides
    )


def _gather(document: dict[str, Any], by_finding: dict[str, list[Proven]]) -> None:
    for each in document["proofs"]:
        if each["verdict"] != "not_tried":
            by_finding.setdefault(each["fingerprint"], []).append(
                Proven(
                    verdict=each["verdict"],
                    direction=each["direction"],
                    loaded_by=each["loaded_by"],
                    reason=each["reason"],
                )
            )


def _with(by_finding: dict[str, list[Proven]], finding: Finding) -> Finding:
    return finding.replace(proofs=tuple(by_finding.get(finding.fingerprint, ())))
