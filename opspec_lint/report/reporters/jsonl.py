"""JSON Lines: a finding a line, for programs that read a stream or search with grep."""

from __future__ import annotations

import json

from opspec_lint.report.plain import plain
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Report


def render(report: Report) -> str:
    """Return a line for each finding, as in the JSON report, with the files that were compared; none for none."""
    found = [{"base": None, "head": None, **plain(finding)} for finding in report.general]
    for each in report.comparisons:
        found += [{"base": each.base.file, "head": each.head.file, **plain(finding)} for finding in each.findings]
    return "".join(f"{json.dumps(finding)}\n" for finding in found)


REPORTER = Reporter(summary="JSON Lines, one finding for each line", render=render)
