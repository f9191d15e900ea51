"""Which commit brought what changed between two releases, as the histories know it."""

from __future__ import annotations

from opspec_lint.history.since import framework_of, value_text
from opspec_lint.site.timeline import SECTION_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.history.store import Commit, Fact, History
    from opspec_lint.report.findings import Finding
    from opspec_lint.site.releases import Line, Release


class Commits:
    """Finds the commit behind a finding about two neighbouring releases.

    Args:
        line: the releases.
        histories: the histories; those of other frameworks are passed over.
    """

    def __init__(self, line: Line, histories: Iterable[History]) -> None:
        self._known = [_Known(line, each) for each in histories if framework_of(each) == line.framework]

    def of(self, finding: Finding, base: int, head: int) -> Commit | None:
        """Return the last commit behind release `base`, up to `head`, that changed what a finding is about."""
        found = (each.of(finding, base, head) for each in self._known)
        return next((each for each in found if each is not None), None)


class _Known:
    """What one history knows of the releases of a line."""

    def __init__(self, line: Line, history: History) -> None:
        self._history = history
        self._table = line.table
        places = _Places(history)
        self._exact = [places.of(each) for each in line.releases]
        near = [places.at(each.date) for each in line.releases]
        self._places = [other if place is None else place for place, other in zip(self._exact, near, strict=True)]
        self._facts: dict[str, list[Fact]] = {}

    def of(self, finding: Finding, base: int, head: int) -> Commit | None:
        after, upto = self._places[base], self._places[head]
        if after is None or upto is None or finding.op is None or finding.kind not in SECTION_OF:
            return None
        turned = self._turned(finding, after, upto)
        is_sure = self._exact[head] is not None or self._is_so(finding, upto)
        return None if turned is None or not is_sure else self._history.numbered(turned)

    def _turned(self, finding: Finding, after: int, upto: int) -> int | None:
        """Return the last revision behind one, up to another, that changed what a finding is about."""
        turns = (turn for fact in self._about(finding) for turn in (fact.came, fact.went))
        return max((turn for turn in turns if turn is not None and after < turn <= upto), default=None)

    def _is_so(self, finding: Finding, at: int) -> bool:
        """Tell whether a revision is what a finding says of head: it may not be the release itself."""
        held = [
            fact.value for fact in self._about(finding) if fact.came <= at and (fact.went is None or fact.went > at)
        ]
        if finding.field is None:
            return bool(held) == (finding.new is not None and finding.new_name is None)
        field = self._table.of(SECTION_OF[finding.kind]).get(finding.field)
        return (held[0] if held else None) == value_text(field, finding.new)

    def _about(self, finding: Finding) -> list[Fact]:
        op = finding.op or ""
        if op not in self._facts:
            self._facts[op] = list(self._history.facts_of(op))
        argument = "" if finding.kind == "op" else finding.name or ""
        key = (finding.kind, argument, finding.field or "")
        return [each for each in self._facts[op] if each.key == key]


class _Places:
    """Finds the revisions of a history that releases are of."""

    def __init__(self, history: History) -> None:
        self._numbers = history.numbers()
        self._tags = history.tags()
        self._days = [(date, number) for number, _, date, *_ in history.table("revision")[1]]

    def of(self, release: Release) -> int | None:
        """Return the number of the revision that a release is: by its commit, else by a tag of its version."""
        commit, version = release.spec.provenance.commit, release.spec.provenance.version
        if commit is not None:
            found = [number for identity, number in self._numbers.items() if identity.startswith(commit)]
            if len(found) == 1:
                return found[0]
        tagged = (each.revision for each in self._tags if version is not None and each.name.lstrip("v") == version)
        return next(tagged, None)

    def at(self, date: str | None) -> int | None:
        """Return the number of the last revision up to a day, None if the history does not go as far."""
        if date is None or not self._days or max(self._days)[0] < date:
            return None
        return max((number for day, number in self._days if day <= date), default=None)
