"""Fixers: modules of a folder `fixers/` with a `FIXER`, which makes the edits that remove findings of some rules.

A fixer is in the room that knows the files that it edits. The rule itself states whether it has a fix, and how safe the
fix is.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.fixes.files import Files
from opspec_lint.fixes.fix import SAFETIES
from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import OpspecError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Finding, Report
    from opspec_lint.sources.loaded import FileAccess
    from opspec_lint.spec.ids import RuleId

FIXERS: Catalogue[Fixer] = Catalogue("lint/fixers", "project/fixers", "frameworks/*/fixers", offers="FIXER")


_MOST_TRIED = 20
"""Findings without a fix after which a report does not look for another one: a fixer reads and searches files."""


def _nothing(_: str) -> None:
    """Read nothing: there are no files."""


class Sides(Record):
    """The files of base and head, by the paths in the places of findings.

    `next_version` is the planned version of the checked project, None if unknown.
    """

    base: Files
    head: Files
    next_version: str | None = None


class Fixer(Record):
    """The rules whose findings a fixer removes, and the function that yields the fixes of one finding."""

    rules: tuple[RuleId, ...]
    fixes: Callable[[Finding, Sides], Iterable[Fix]]


def fix_step_between(base: FileAccess | None, head: FileAccess | None, next_version: str | None = None) -> Step | None:
    """Return the step that adds fixes to findings between two specs; None if the files of head are not readable."""
    if head is None:
        return None
    before = Files(_nothing if base is None else base.read)
    return fix_step(Sides(base=before, head=Files(head.read, head.prefix, head.include), next_version=next_version))


@cache
def _by_rule() -> Mapping[RuleId, list[Fixer]]:
    """Return the fixers of each rule."""
    fixers: dict[RuleId, list[Fixer]] = {}
    for fixer in FIXERS.every():
        for rule in fixer.rules:
            fixers.setdefault(rule, []).append(fixer)
    return fixers


def fix_step(sides: Sides) -> Step:
    """Return the step that adds fixes to findings, safe ones first."""

    def add_fixes(finding: Finding) -> Finding:
        fixes = _fixes(finding, sides)
        return finding.replace(fixes=fixes) if fixes else finding

    return add_fixes


def _fixes(finding: Finding, sides: Sides) -> tuple[Fix, ...]:
    """Return the fixes of a finding, safe ones first; none for a finding without a place."""
    # Waived and approved findings keep their declaration, so they get no fix.
    has_no_place = finding.base_origin is finding.head_origin is finding.needs is None
    fixers = () if has_no_place or not finding.counts else _by_rule().get(finding.rule, ())
    try:
        fixes = [fix for fixer in fixers for fix in fixer.fixes(finding, sides) if fix.edits]
    except OpspecError:
        # The file was edited since the comparison, and is faulty now: the next check reports that.
        return ()
    return tuple(sorted(fixes, key=lambda fix: SAFETIES.index(fix.safety)))


def with_offer(report: Report, general: Step | None = None) -> Report:
    """Return a report that says whether a safe fix exists, without the steps that would add fixes.

    Only the first findings are tried: the answer may be no where a later finding has a safe fix.
    `general` adds the fixes to the general findings.
    """
    has_fix = report.failed and _has_safe_fix(report, general)
    comparisons = tuple(
        comparison if comparison.fix_step is None else comparison.replace(fix_step=None)
        for comparison in report.comparisons
    )
    return report.replace(comparisons=comparisons, has_safe_fix=has_fix)


def _has_safe_fix(report: Report, general: Step | None) -> bool:
    """Return whether any finding that counts certainly has a safe fix.

    A fix is only known once it was tried, which takes time: after some findings without one, the answer is False.
    """
    rules = {rule.id for rule in report.rules if rule.fix == "safe"}
    groups = [(general, report.general), *((pair.fix_step, pair.findings) for pair in report.comparisons)]
    tried = 0
    for step, findings in groups:
        for finding in findings:
            if finding.rule not in rules or not finding.counts:
                continue
            completed = finding if step is None else step(finding)
            if completed is not None and any(fix.safety == "safe" for fix in completed.fixes):
                return True
            tried += step is not None
            if tried == _MOST_TRIED:
                return False
    return False
