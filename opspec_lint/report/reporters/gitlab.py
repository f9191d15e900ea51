"""The reporter for GitLab: a Code Quality report, as documented under "Implement a custom tool"."""

from __future__ import annotations

from opspec_lint.kit.text import distinct, one_line
from opspec_lint.report.details import SIDES
from opspec_lint.report.entries import entries, in_order
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, encode_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report


_SEVERITIES = {
    ("error", "break"): "blocker",
    ("error", "relaxation"): "critical",
    ("warning", "break"): "major",
    ("warning", "relaxation"): "minor",
}
"""Severity by group of entries and effect; any other finding (note, waived, approved) is `info`."""


def render(report: Report) -> str:
    """Return the report as a JSON array, the worst first."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the array in parts."""
    # GitLab shows one of several issues with the same fingerprint.
    fingerprints = distinct(finding.fingerprint for finding, _ in in_order(report))
    issues = (_issue(entry, fingerprint) for entry, fingerprint in zip(entries(report), fingerprints, strict=True))
    return encode_parts(Array(issues, len(fingerprints)))


def _issue(entry: Entry, fingerprint: str) -> dict[str, Any]:
    """Return an entry as an issue of the report."""
    mark = "" if entry.cleared is None else f"[{entry.cleared}] "
    declared = (f"{detail.label}: {detail.text}" for detail in entry.details if detail.label in SIDES)
    used = (f"{detail.label} {detail.text}" for detail in entry.details if detail.label == "used by")
    return {
        "description": "; ".join((f"{mark}{entry.subject}: {entry.message}", *declared, *used)),
        "check_name": entry.finding.rule,
        "fingerprint": fingerprint,
        "severity": _severity(entry),
        "location": {"path": one_line(entry.place.path), "lines": {"begin": entry.place.line}},
    }


def _severity(entry: Entry) -> str:
    """Return the severity of an entry."""
    effect = "relaxation" if entry.finding.is_relaxation else "break"
    return _SEVERITIES.get((entry.group, effect), "info")


REPORTER = Reporter(summary="the Code Quality report of GitLab", render=render, parts=parts, wants_lines=True)
