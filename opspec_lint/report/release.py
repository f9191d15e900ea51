"""The release that a change requires, by the rules of Semantic Versioning 2.0.0 (semver.org).

- major: a finding at error level that counts breaks models which were saved before (item 8).
- minor: something was added, allowed, deprecated or relaxed, new models do not load on the old framework, or the
  profile does not make a break an error (item 7).
- patch: nothing that a model depends on changed (item 6).

A waived or approved break requires a minor release only; the reason states their number.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report.entries import ignored_count
from opspec_lint.report.ranking import ranked, report_order
from opspec_lint.report.versions import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report
    from opspec_lint.report.versions import Part

_NEW = (
    *("attr_added_with_default", "input_added_dispensable", "output_added_dispensable"),
    *("deprecation_changed", "min_consumer_lowered", "min_producer_lowered", "spec_added"),
)
"""Rules whose findings break nothing but extend the contract, which requires a minor release (item 7)."""
_NO_CONTRACT = ("config", "waiver")
_LONGEST = 300


class Verdict(Record):
    """The release that a report requires, the reason on one line, and the deciding finding, if any."""

    part: Part
    reason: str
    finding: Finding | None = None


def verdict(report: Report) -> Verdict:
    """Return the release that a report requires: the greatest that any finding requires."""
    by_part: dict[Part, list[Finding]] = {part: [] for part in PARTS}
    cleared = 0
    for finding in report.findings:
        if finding.kind in _NO_CONTRACT:
            continue
        part = _part(finding)
        if part == "major" and not finding.counts:
            part, cleared = "minor", cleared + 1
        by_part[part].append(finding)
    accepted = f"; {plural(cleared, 'break')} not counted, being waived or approved: with them it is major"
    rest = accepted if cleared else ""
    for part in PARTS[:-1]:
        if by_part[part]:
            # Of breaks, the one that all reports begin with; of other changes, one of the most frequent kind.
            first = min(by_part[part], key=report_order) if part == "major" else ranked(by_part[part])[0].finding
            return Verdict(part=part, reason=_reason(first, part, by_part[part], report) + rest, finding=first)
    if not report.comparisons:
        return Verdict(part="patch", reason="nothing that was compared changed")
    what = "nothing that a model depends on changed" if by_part["patch"] else "no findings"
    ignored = sum(comparison.ignored for comparison in report.comparisons)
    but = f", but {ignored_count(ignored)}" if ignored else ""
    return Verdict(part="patch", reason=what + but)


def _part(finding: Finding) -> Part:
    """Return the release that a finding requires, if it counts."""
    if "backward" in finding.directions and finding.level == "error":
        return "major"
    return "minor" if finding.directions or finding.rule in _NEW else "patch"


def _reason(first: Finding, part: Part, findings: list[Finding], report: Report) -> str:
    """Return the reason for a release: the first of the findings that require it, and their number."""
    op_prefix = "" if first.op is None or f"'{first.op}'" in first.message else f"{first.op}: "
    what = "error that breaks existing models" if part == "major" else "change"
    whats = "errors that break existing models" if part == "major" else "changes"
    more = f", the worst of {len(findings)} {whats}" if len(findings) > 1 else f", the only {what}"
    text = f"{shorten(one_line(op_prefix + first.message), _LONGEST)} ({first.rule}{more})"
    # A major release for internal ops alone is often due to the choice of the profile: the reason names the other one.
    profiles = {
        comparison.exempt_under for comparison in report.comparisons if any(map(_requires_major, comparison.findings))
    }
    if (
        part == "major"
        and len(profiles) == 1
        and None not in profiles
        and not any(map(_requires_major, report.general))
    ):
        return f"{text}; all are of internal ops, which the profile {profiles.pop()} exempts"
    return text


def _requires_major(finding: Finding) -> bool:
    """Return whether a finding counts and requires a major release."""
    return finding.counts and finding.kind not in _NO_CONTRACT and _part(finding) == "major"
