"""The release that a change requires, by the rules of Semantic Versioning 2.0.0 (semver.org).

- major: a finding at error level that counts breaks models which were saved before (item 8).
- minor: something was added, allowed, deprecated or relaxed, new models do not load on the old framework, or a break
  that the profile does not hold for an error (item 7).
- patch: nothing that a model depends on changed (item 6).

A break that is waived or approved does not count, and asks for a minor release; the reason says how many those are.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report.entries import ignored_count
from opspec_lint.report.ranking import ranked
from opspec_lint.report.versions import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding, Report
    from opspec_lint.report.versions import Part

_NEW = (
    *("attr_added_with_default", "input_added_dispensable", "output_added_dispensable"),
    *("deprecation_changed", "min_consumer_lowered", "min_producer_lowered", "spec_added"),
)
"""Rules whose findings break nothing, and yet add to the contract: arguments, graphs, ops, a deprecation (item 7)."""
_NO_CONTRACT = ("config", "waiver")
_LONGEST = 300


class Verdict(Record):
    """The release that a report requires, the reason on one line, and the finding that decides, None if none does."""

    part: Part
    reason: str
    finding: Finding | None = None


def verdict(report: Report) -> Verdict:
    """Return the release that a report requires: the largest that any of its findings requires."""
    asking: dict[Part, list[Finding]] = {part: [] for part in PARTS}
    cleared = 0
    for finding in report.findings:
        if finding.kind in _NO_CONTRACT:
            continue
        part = _part(finding)
        if part == "major" and not finding.counts:
            part, cleared = "minor", cleared + 1
        asking[part].append(finding)
    rest = f"; {plural(cleared, 'break')} not counted, being waived or approved" if cleared else ""
    for part in PARTS[:-1]:
        if asking[part]:
            first = ranked(asking[part])[0].finding
            return Verdict(part=part, reason=_reason(first, part, asking[part], report) + rest, finding=first)
    if not report.comparisons:
        return Verdict(part="patch", reason="nothing that was compared changed")
    what = "nothing that a model depends on changed" if asking["patch"] else "no findings"
    ignored = sum(each.ignored for each in report.comparisons)
    but = f", but {ignored_count(ignored)}" if ignored else ""
    return Verdict(part="patch", reason=what + but)


def _part(finding: Finding) -> Part:
    if "backward" in finding.directions and finding.level == "error":
        return "major"
    return "minor" if finding.directions or finding.rule in _NEW else "patch"


def _reason(first: Finding, part: Part, findings: list[Finding], report: Report) -> str:
    about = "" if first.op is None or f"'{first.op}'" in first.message else f"{first.op}: "
    what = "error that breaks existing models" if part == "major" else "change"
    whats = "errors that break existing models" if part == "major" else "changes"
    more = f", the worst of {len(findings)} {whats}" if len(findings) > 1 else f", the only {what}"
    told = f"{shorten(one_line(about + first.message), _LONGEST)} ({first.rule}{more})"
    profiles = {each.exempt_under for each in report.comparisons if any(map(_asks_for_major, each.findings))}
    if (
        part == "major"
        and len(profiles) == 1
        and None not in profiles
        and not any(map(_asks_for_major, report.general))
    ):
        return f"{told}; all are of internal ops, which the profile {profiles.pop()} exempts"
    return told


def _asks_for_major(finding: Finding) -> bool:
    return finding.counts and finding.kind not in _NO_CONTRACT and _part(finding) == "major"
