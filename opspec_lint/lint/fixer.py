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
    from opspec_lint.report.findings import Finding
    from opspec_lint.sources.loaded import FileAccess
    from opspec_lint.spec.ids import RuleId

FIXERS: Catalogue[Fixer] = Catalogue("lint/fixers", "project/fixers", "frameworks/*/fixers", offers="FIXER")


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

    def fixed(finding: Finding) -> Finding:
        # Waived and approved findings keep their declaration, so they get no fix.
        has_no_place = finding.base_origin is finding.head_origin is finding.needs is None
        fixers = () if has_no_place or not finding.counts else _by_rule().get(finding.rule, ())
        if not fixers:
            return finding
        try:
            fixes = [fix for fixer in fixers for fix in fixer.fixes(finding, sides) if fix.edits]
        except OpspecError:
            # The file was edited since the comparison, and is faulty now: the next check reports that.
            return finding
        return finding.replace(fixes=tuple(sorted(fixes, key=lambda fix: SAFETIES.index(fix.safety))))

    return fixed
