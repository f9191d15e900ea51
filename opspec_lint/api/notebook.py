"""Results as tables of HTML, for notebooks. Everything that comes from a spec or a model is escaped."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.api.results import Audit, Report

_MOST = 100
"""Rows of a table: a notebook keeps what it shows."""


def table_of_findings(report: Report) -> str:
    """Return the findings of a report as a table, with their counts as its caption."""
    summary = report.summary
    caption = f"{summary.error} errors, {summary.warning} warnings, {summary.note} notes"
    rows = [(finding.level, finding.op, finding.message, finding.advice) for finding in report.findings]
    return _table(caption, ("level", "op", "message", "instead"), rows)


def table_of_verdicts(audit: Audit) -> str:
    """Return the verdicts of an audit as a table, with the counts of the answers as its caption."""
    counts = audit.counts
    caption = f"{counts.yes} load, {counts.no} do not, {counts.unknown} unknown"
    rows = [
        (
            verdict.model,
            verdict.against,
            verdict.loader,
            verdict.loads,
            next((finding.message for finding in verdict.findings if finding.level != "note"), ""),
        )
        for verdict in audit.audits
    ]
    return _table(caption, ("model", "release", "loader", "loads", "reason"), rows)


def _table(caption: str, heads: Iterable[str], rows: Sequence[Iterable[str | None]]) -> str:
    more = f", the first {_MOST} of {len(rows)}" if len(rows) > _MOST else ""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[:_MOST])
    return (
        f"<table><caption>{escape(caption + more)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: Iterable[str | None]) -> str:
    from opspec_lint.kit.text import one_line

    return "".join(f"<td>{escape(one_line(text or ''))}</td>" for text in row)
