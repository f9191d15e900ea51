"""JSON Lines: a finding a line, for programs that read a stream or search with grep."""

from __future__ import annotations

import json

from opspec_lint.report.as_json import as_json
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.findings import Report


def render(report: Report) -> str:
    """Return a line for each finding, as in the JSON report, with the files that were compared; none for none."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the lines."""
    for finding in report.general:
        yield f"{json.dumps({'base': None, 'head': None, **as_json(finding)})}\n"
    for each in report.comparisons:
        files = {"base": each.base.file, "head": each.head.file}
        yield from (f"{json.dumps({**files, **as_json(finding)})}\n" for finding in each.findings)


REPORTER = Reporter(summary="JSON Lines, one finding for each line", render=render, parts=parts, wants_fixes=True)
