"""The fixes of a report together: of each finding that counts the safest one, and their patch."""

from __future__ import annotations

from opspec_lint.fixes.fix import SAFETIES
from opspec_lint.fixes.plan import plan
from opspec_lint.fixes.unified import unified_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.fix import Fix, Safety
    from opspec_lint.fixes.plan import Plan
    from opspec_lint.report.findings import Finding, Report


def plan_of(report: Report, safety: Safety = "safe") -> Plan:
    """Return the fixes of a report that go together and are as safe as asked: of an argument, one that is a guess."""
    first: list[Fix] = []
    later: list[Fix] = []
    guesses: dict[tuple[str | None, str | None], Fix] = {}
    for finding, fix in fixes_of(report, safety):
        # Two guesses about one argument are two ways out: after the first one, the second is mostly not needed.
        is_second = fix.safety == "unsafe" and guesses.setdefault((finding.op, finding.name), fix) != fix
        (later if is_second else first).append(fix)
    found = plan(first)
    return found.replace(left=(*found.left, *later))


def fixes_of(report: Report, safety: Safety = "safe") -> Iterator[tuple[Finding, Fix]]:
    """Yield the findings that count and have a fix that is as safe as asked, each with the safest one."""
    least = SAFETIES.index(safety)
    for finding in report.findings:
        if finding.counts and finding.fixes and SAFETIES.index(finding.fixes[0].safety) <= least:
            yield finding, finding.fixes[0]


def patch(found: Plan) -> str:
    """Return fixes as a unified diff."""
    return "".join(unified_diff(*each) for each in found.edits.items())
