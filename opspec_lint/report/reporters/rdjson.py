"""The reporter `rdjson`: the diagnostic format of reviewdog, which comments on pull requests of many code hosts.

The schema is `proto/rdf/jsonschema/DiagnosticResult.json` of reviewdog/reviewdog.
"""

from __future__ import annotations

from opspec_lint.report.entries import entries
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, encode_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.fixes.text_file import Edit, Position
    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report

_SEVERITIES = {"error": "ERROR", "warning": "WARNING"}
"""Severity by group of entries; any other (note, waived, approved) is `INFO`."""


def render(report: Report) -> str:
    """Return the report as one DiagnosticResult, the worst first."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the text in parts."""
    diagnostics = Array(map(_diagnostic, entries(report)), len(report.findings))
    return encode_parts({"source": {"name": "opspec-lint"}, "diagnostics": diagnostics})


def _diagnostic(entry: Entry) -> dict[str, Any]:
    """Return an entry as a Diagnostic, with its first fix as a suggestion."""
    mark = "" if entry.cleared is None else f"[{entry.cleared}] "
    fix = next(iter(entry.finding.fixes), None)
    suggested = [] if fix is None else [_suggestion(edit) for edit in fix.edits if edit.file == entry.place.path]
    return {
        "message": "\n".join((f"{mark}{entry.subject}: {entry.message}", *entry.lines)),
        "severity": _SEVERITIES.get(entry.group, "INFO"),
        "location": {
            "path": entry.place.path,
            "range": {"start": {"line": entry.place.line, "column": entry.place.column}},
        },
        "code": {"value": entry.finding.rule},
        **({"suggestions": suggested} if suggested else {}),
    }


def _suggestion(edit: Edit) -> dict[str, Any]:
    """Return an edit as a Suggestion."""
    start, end = (_position(edit, position) for position in (edit.start, edit.end))
    return {"range": {"start": start, "end": end}, "text": edit.text}


def _position(edit: Edit, position: Position) -> dict[str, int]:
    """Return a position whose column counts bytes of UTF-8, as reviewdog does."""
    line, column = position
    before = edit.source.line(line)[: column - 1]
    return {"line": line, "column": len(before.encode()) + 1}


REPORTER = Reporter(
    summary="the diagnostic format of reviewdog", render=render, parts=parts, wants_lines=True, wants_fixes=True
)
