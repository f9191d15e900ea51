"""The reporter `jsonl`: JSON Lines, one finding per line, for streams and grep."""

from __future__ import annotations

import json

from opspec_lint.report.as_json import as_json
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.findings import Report


def render(report: Report) -> str:
    """Return a line per finding: its JSON object with the compared files added."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the line of each finding, general findings first."""
    for finding in report.general:
        yield f"{json.dumps({'base': None, 'head': None, **as_json(finding)})}\n"
    for comparison in report.comparisons:
        files = {"base": comparison.base.file, "head": comparison.head.file}
        yield from (f"{json.dumps({**files, **as_json(finding)})}\n" for finding in comparison.findings)


REPORTER = Reporter(summary="JSON Lines, one finding for each line", render=render, parts=parts, wants_fixes=True)
