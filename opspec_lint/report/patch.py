"""The combination of the fixes of a report: the safest fix of each finding, and their patch."""

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


def plan_fixes(report: Report, safety: Safety = "safe") -> Plan:
    """Return the plan of compatible fixes of a report that are at least as safe as `safety`.

    Of several unsafe fixes for one argument, only the first one is applied at once.
    """
    first: list[Fix] = []
    later: list[Fix] = []
    guesses: dict[tuple[str | None, str | None], Fix] = {}
    for finding, fix in safest_fixes(report, safety):
        # Two unsafe fixes for one argument are alternatives: after the first, the second is mostly not needed.
        is_second = fix.safety == "unsafe" and guesses.setdefault((finding.op, finding.name), fix) != fix
        if is_second:
            later.append(fix)
        else:
            first.append(fix)
    plan_of_first = plan(first)
    return plan_of_first.replace(left=(*plan_of_first.left, *later))


def safest_fixes(report: Report, safety: Safety = "safe") -> Iterator[tuple[Finding, Fix]]:
    """Yield the findings that count, each with its safest fix, if that is at least as safe as `safety`."""
    least = SAFETIES.index(safety)
    for finding in report.findings:
        if not (finding.counts and finding.fixes):
            continue
        # Fixes of a finding are sorted, the safest first (`lint/fixer.py`).
        safest, *_ = finding.fixes
        if SAFETIES.index(safest.safety) <= least and not (safest.safety == "unsafe" and _is_allowed(finding)):
            yield finding, safest


def _is_allowed(finding: Finding) -> bool:
    """Return whether the profile allows the change, so that a guess must not take it back.

    A note on an op version is no such change: its fix registers what the author changed.
    """
    return finding.level == "note" and finding.kind in ("op", "input", "output", "attr")


def unsafe_count(report: Report) -> int:
    """Return the number of findings that only `--fix=unsafe` repairs."""
    return sum(fix.safety == "unsafe" for _, fix in safest_fixes(report, "unsafe"))


def patch(plan: Plan) -> str:
    """Return a plan of fixes as a unified diff."""
    return "".join(unified_diff(*edits) for edits in plan.edits.items())
