"""The reporter `statistics`: the number of findings per rule and level, as a survey of a large change."""

from __future__ import annotations

from opspec_lint.kit.text import columns, plural
from opspec_lint.report.entries import counts
from opspec_lint.report.findings import LEVELS
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report


def render(report: Report) -> str:
    """Return a line per rule and level with the numbers of findings and ops, the worst first; then the counts."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault((finding.cleared or finding.level, finding.rule), []).append(finding)
    ranked = sorted(groups.items(), key=lambda item: (-_badness(item[0][0]), -len(item[1]), item[0]))
    rows = []
    for (level, rule), findings in ranked:
        ops = {finding.op for finding in findings if finding.op is not None}
        where = f"  in {plural(len(ops), 'op')}" if ops else ""
        rows.append((str(len(findings)), level, f"{rule}{where}"))
    return "\n".join([*columns(rows, right=(0,)), counts(report.findings) or "no findings", ""])


def _badness(level: str) -> int:
    """Return the severity of a level; waived and approved are below all levels."""
    return LEVELS.index(level) if level in LEVELS else -1


REPORTER = Reporter(summary="the number of findings for each rule", render=render)
