"""How many findings there are of each rule, the worst and the most first: a survey of a large change."""

from __future__ import annotations

from opspec_lint.kit.text import columns, plural
from opspec_lint.report.entries import counts
from opspec_lint.report.findings import LEVELS
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report


def render(report: Report) -> str:
    """Return a line for each rule and level: findings, level, rule, and the ops that they are in; then the sum."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault((finding.cleared or finding.level, finding.rule), []).append(finding)
    ranked = sorted(groups.items(), key=lambda item: (-_badness(item[0][0]), -len(item[1]), item[0]))
    rows = []
    for (level, rule), found in ranked:
        ops = {each.op for each in found if each.op is not None}
        where = f"  in {plural(len(ops), 'op')}" if ops else ""
        rows.append((str(len(found)), level, f"{rule}{where}"))
    return "\n".join([*columns(rows, right=(0,)), counts(report.findings) or "no findings", ""])


def _badness(level: str) -> int:
    """Return how bad a level is; what does not count is milder than any."""
    return LEVELS.index(level) if level in LEVELS else -1


REPORTER = Reporter(summary="the number of findings for each rule", render=render)
