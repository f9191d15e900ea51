"""GitLab's Code Quality report, with the properties that GitLab documents under "Implement a custom tool"."""

from __future__ import annotations

from opspec_lint.kit.text import distinct, one_line
from opspec_lint.report.details import SIDES
from opspec_lint.report.entries import entries, in_order
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, written

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
"""Whether saved models break decides between the two severities of a level; a note is `info` either way, and
so is what is waived or approved."""


def render(report: Report) -> str:
    """Return the report as a JSON array, the worst first. Of entries with one fingerprint GitLab would show one."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the array in parts."""
    fingerprints = distinct(finding.fingerprint for finding, _ in in_order(report))
    issues = (_issue(entry, fingerprint) for entry, fingerprint in zip(entries(report), fingerprints, strict=True))
    return written(Array(issues, len(fingerprints)))


def _issue(entry: Entry, fingerprint: str) -> dict[str, Any]:
    mark = "" if entry.cleared is None else f"[{entry.cleared}] "
    declared = (f"{each.label}: {each.text}" for each in entry.details if each.label in SIDES)
    used = (f"{each.label} {each.text}" for each in entry.details if each.label == "used by")
    return {
        "description": "; ".join((f"{mark}{entry.subject}: {entry.message}", *declared, *used)),
        "check_name": entry.finding.rule,
        "fingerprint": fingerprint,
        "severity": _severity(entry),
        "location": {"path": one_line(entry.place.path), "lines": {"begin": entry.place.line}},
    }


def _severity(entry: Entry) -> str:
    effect = "relaxation" if entry.finding.is_relaxation else "break"
    return _SEVERITIES.get((entry.group, effect), "info")


REPORTER = Reporter(summary="the Code Quality report of GitLab", render=render, parts=parts, wants_lines=True)
