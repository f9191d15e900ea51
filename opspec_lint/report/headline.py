"""The verdict of a report in a sentence: how many changes break saved models, or what else fails."""

from __future__ import annotations

from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report


def headline(report: Report) -> str:
    """Return the verdict of a report, without a full stop."""
    if not report.findings:
        return "No saved model breaks: no findings"
    breaks = sum(map(is_break, report.findings))
    others = report.count("error") - breaks
    said = f"{plural(breaks, 'change')} break{'s' if breaks == 1 else ''} saved models" if breaks else ""
    rest = f"{plural(others, 'other error' if breaks else 'error')}" if others else ""
    return ", and ".join(each for each in (said or "No saved model breaks", rest) if each)


def is_break(finding: Finding) -> bool:
    """Tell whether a finding breaks saved models, whoever approves."""
    return finding.level == "error" and finding.counts and not finding.is_relaxation and not is_asked(finding)


def is_asked(finding: Finding) -> bool:
    """Tell whether an error is one only until a team has approved."""
    return finding.level == "error" and finding.counts and finding.approval is not None
