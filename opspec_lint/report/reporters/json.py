"""JSON for programs; `documents/schemas/report.schema.json` is its schema."""

from __future__ import annotations

from opspec_lint.report.as_json import as_json
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.report.findings import Comparison, Level, Report, Side

VERSION = 1

_LEVELS: tuple[Level, ...] = ("error", "warning", "note")


def render(report: Report) -> str:
    """Return the report as JSON text. A number that JSON cannot write is {"float": "NaN"} and the like."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the text in parts."""
    summary: dict[str, int] = {level: report.count(level) for level in _LEVELS}
    document = {
        "version": VERSION,
        "base": report.base,
        "comparisons": [_comparison(each) for each in report.comparisons],
        "unchanged": list(report.unchanged),
        "summary": {**summary, "waived": len(report.waived), "approved": len(report.approved)},
        "release": _release(report),
        "findings": Array(_findings(report), len(report.findings)),
    }
    return written(document)


def _findings(report: Report) -> Iterator[dict[str, Any]]:
    yield from ({"comparison": None, **as_json(finding)} for finding in report.general)
    for index, each in enumerate(report.comparisons):
        yield from ({"comparison": index, **as_json(finding)} for finding in each.findings)


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


REPORTER = Reporter(summary="JSON for programs, with a schema", render=render, parts=parts, wants_fixes=True)
