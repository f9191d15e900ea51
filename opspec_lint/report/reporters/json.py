"""The reporter `json`: one JSON document for programs (`documents/schemas/report.schema.json`)."""

from __future__ import annotations

from opspec_lint.report.as_json import as_json
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, encode_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.report.findings import Comparison, Level, Report, Side

VERSION = 1

_LEVELS: tuple[Level, ...] = ("error", "warning", "note")


def render(report: Report) -> str:
    """Return the report as JSON text; a float that JSON lacks becomes an object such as {"float": "NaN"}."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the text in parts."""
    summary: dict[str, int] = {level: report.count(level) for level in _LEVELS}
    document = {
        "version": VERSION,
        "base": report.base,
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
        "unchanged": list(report.unchanged),
        "summary": {**summary, "waived": len(report.waived), "approved": len(report.approved)},
        "release": _release(report),
        "findings": Array(_findings(report), len(report.findings)),
    }
    return encode_parts(document)


def _findings(report: Report) -> Iterator[dict[str, Any]]:
    """Yield the elements of "findings", each with the index of its comparison."""
    yield from ({"comparison": None, **as_json(finding)} for finding in report.general)
    for index, comparison in enumerate(report.comparisons):
        yield from ({"comparison": index, **as_json(finding)} for finding in comparison.findings)


def _comparison(comparison: Comparison) -> dict[str, Any]:
    """Return an element of "comparisons"."""
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
    """Return the value of "base" or "head" of a comparison."""
    provenance = side.provenance
    return {
        "file": side.file,
        "framework": provenance.framework,
        "version": provenance.version,
        "commit": provenance.commit,
        "ops": side.ops,
    }


def _release(report: Report) -> dict[str, Any]:
    """Return the value of "release": the release that the report requires."""
    from opspec_lint.report import release
    from opspec_lint.report.versions import least_after

    verdict, versions = release.verdict(report), report.versions
    return {
        "part": verdict.part,
        "reason": verdict.reason,
        "fingerprint": None if verdict.finding is None else verdict.finding.fingerprint,
        "released": None if versions is None else versions.released.text,
        "next": None if versions is None or versions.next is None else versions.next.text,
        "least": None if versions is None else least_after(verdict.part, versions.released).text,
    }


REPORTER = Reporter(summary="JSON for programs, with a schema", render=render, parts=parts, wants_fixes=True)
