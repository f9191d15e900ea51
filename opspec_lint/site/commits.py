"""Which commit brought what changed between two releases, as the histories know it."""

from __future__ import annotations

from opspec_lint.history.since import framework_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.history.store import Commit, Fact, History, Tag
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
        numbers, tags = history.numbers(), history.tags()
        self._places = [_place(each, numbers, tags) for each in line.releases]
        self._facts: dict[str, list[Fact]] = {}

    def of(self, finding: Finding, base: int, head: int) -> Commit | None:
        after, upto = self._places[base], self._places[head]
        if after is None or upto is None or finding.op is None:
            return None
        if finding.op not in self._facts:
            self._facts[finding.op] = list(self._history.facts_of(finding.op))
        argument = "" if finding.kind == "op" else finding.name or ""
        key = (finding.kind, argument, finding.field or "")
        turns = (turn for fact in self._facts[finding.op] if fact.key == key for turn in (fact.came, fact.went))
        last = max((turn for turn in turns if turn is not None and after < turn <= upto), default=None)
        return None if last is None else self._history.numbered(last)


def _place(release: Release, numbers: Mapping[str, int], tags: Iterable[Tag]) -> int | None:
    """Return the number of the revision that a release is: by its commit, else by a tag of its version."""
    commit, version = release.spec.provenance.commit, release.spec.provenance.version
    if commit is not None:
        found = [number for identity, number in numbers.items() if identity.startswith(commit)]
        if len(found) == 1:
            return found[0]
    return next((each.revision for each in tags if version is not None and each.name.lstrip("v") == version), None)
