"""A fixer: makes the edits that remove findings of some rules. A module of a folder `fixers/`, with a `FIXER`.

It stands where the files are known that it edits. Which rules have a fix, and how safe that is, the rules say.
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
    """The files of base and of head, by the paths that the places of findings have.

    `coming` is the next version of what is checked, None if nobody said it.
    """

    base: Files
    head: Files
    coming: str | None = None


class Fixer(Record):
    """A fixer: the rules whose findings it removes, and a function that yields the fixes of one."""

    rules: tuple[RuleId, ...]
    fixes: Callable[[Finding, Sides], Iterable[Fix]]


def between(base: FileAccess | None, head: FileAccess | None, coming: str | None = None) -> Step | None:
    """Return the step that adds their fixes to findings between two specs; None if nobody knows their files."""
    if head is None:
        return None
    before = Files(_nothing if base is None else base.read)
    return fixing(Sides(base=before, head=Files(head.read, head.prefix, head.include), coming=coming))


@cache
def _by_rule() -> Mapping[RuleId, list[Fixer]]:
    fixers: dict[RuleId, list[Fixer]] = {}
    for fixer in FIXERS.every():
        for rule in fixer.rules:
            fixers.setdefault(rule, []).append(fixer)
    return fixers


def fixing(sides: Sides) -> Step:
    """Return the step that adds their fixes to findings."""

    def fixed(finding: Finding) -> Finding:
        stands_nowhere = finding.base_origin is finding.head_origin is finding.needs is None
        fixers = () if stands_nowhere or not finding.counts else _by_rule().get(finding.rule, ())
        if not fixers:
            return finding
        try:
            found = [fix for fixer in fixers for fix in fixer.fixes(finding, sides) if fix.edits]
        except OpspecError:  # the file is no longer what was compared, and the next check says why
            return finding
        return finding.replace(fixes=tuple(sorted(found, key=lambda each: SAFETIES.index(each.safety))))

    return fixed
