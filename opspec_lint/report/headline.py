"""The headline of a report: how many changes break saved models, and how many other errors there are."""

from __future__ import annotations

from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report


def headline(report: Report) -> str:
    """Return the headline of a report, without a full stop."""
    if not report.findings:
        return "No saved model breaks: no findings"
    breaks = sum(map(is_break, report.findings))
    others = report.count("error") - breaks
    if breaks:
        breaking = f"{plural(breaks, 'change')} break{'s' if breaks == 1 else ''} saved models"
    else:
        accepted = sum(map(_is_accepted_break, report.findings))
        breaking = "No saved model breaks" + (f" but by {plural(accepted, 'accepted change')}" if accepted else "")
    rest = f"{plural(others, 'other error' if breaks else 'error')}" if others else ""
    return ", and ".join(part for part in (breaking, rest) if part)


def is_break(finding: Finding) -> bool:
    """Return whether a finding is an error because saved models break, not because an approval is missing."""
    return finding.level == "error" and finding.counts and not finding.is_relaxation and not awaits_approval(finding)


def _is_accepted_break(finding: Finding) -> bool:
    """Return whether saved models break, which a waiver or an approval accepts."""
    return finding.level == "error" and not finding.counts and not finding.is_relaxation


def awaits_approval(finding: Finding) -> bool:
    """Return whether a finding is an error only until a team approves it."""
    return finding.level == "error" and finding.counts and finding.approval is not None
