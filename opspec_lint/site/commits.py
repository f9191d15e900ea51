"""Search for the commits behind the changes between two releases, in histories."""

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
    """The commits behind findings about two neighbouring releases.

    Args:
        line: the releases.
        histories: the histories; histories of other frameworks are skipped.
    """

    def __init__(self, line: Line, histories: Iterable[History]) -> None:
        self._known = [_KnownHistory(line, history) for history in histories if framework_of(history) == line.framework]

    def find_commit(self, finding: Finding, base: int, head: int) -> Commit | None:
        """Return the last commit after release `base`, up to `head`, that changed the subject of a finding."""
        commits = (known.find_commit(finding, base, head) for known in self._known)
        return next((commit for commit in commits if commit is not None), None)


class _KnownHistory:
    """The revisions of a line's releases in one history, and its facts."""

    def __init__(self, line: Line, history: History) -> None:
        self._history = history
        self._table = line.table
        # A wheel may be built from a commit off the main branch: then the last revision up to its release date is the
        # best guess.
        places = _ReleaseRevisions(history)
        self._exact = [places.revision_of(release) for release in line.releases]
        near = [places.last_revision_until(release.date) for release in line.releases]
        self._places = [nearest if place is None else place for place, nearest in zip(self._exact, near, strict=True)]
        self._facts: dict[str, list[Fact]] = {}

    def find_commit(self, finding: Finding, base: int, head: int) -> Commit | None:
        after, upto = self._places[base], self._places[head]
        if after is None or upto is None or finding.op is None or finding.kind not in SECTION_OF:
            return None
        # With a guessed revision, a commit is named only if the history has the new value there.
        turned = self._last_change(finding, after, upto)
        is_sure = self._exact[head] is not None or self._has_new_value(finding, upto)
        return None if turned is None or not is_sure else self._history.commit_at(turned)

    def _last_change(self, finding: Finding, after: int, upto: int) -> int | None:
        """Return the last revision after one, up to another, that changed the subject of a finding."""
        turns = (turn for fact in self._facts_of(finding) for turn in (fact.came, fact.went))
        return max((turn for turn in turns if turn is not None and after < turn <= upto), default=None)

    def _has_new_value(self, finding: Finding, at: int) -> bool:
        """Return whether a revision has the value of a finding at head: it may not be the release itself."""
        held = [
            fact.value for fact in self._facts_of(finding) if fact.came <= at and (fact.went is None or fact.went > at)
        ]
        if finding.field is None:
            return bool(held) == (finding.new is not None and finding.new_name is None)
        field = self._table.fields_of(SECTION_OF[finding.kind]).get(finding.field)
        return (held[0] if held else None) == value_text(field, finding.new)

    def _facts_of(self, finding: Finding) -> list[Fact]:
        op = finding.op or ""
        if op not in self._facts:
            self._facts[op] = list(self._history.facts_of(op))
        argument = "" if finding.kind == "op" else finding.name or ""
        key = (finding.kind, argument, finding.field or "")
        return [fact for fact in self._facts[op] if fact.key == key]


class _ReleaseRevisions:
    """The revisions of a history that are releases."""

    def __init__(self, history: History) -> None:
        self._numbers = history.numbers()
        self._tags = history.tags()
        _, revisions = history.table("revision")
        self._days = [(date, number) for number, _, date, *_ in revisions]

    def revision_of(self, release: Release) -> int | None:
        """Return the number of the revision of a release: by its commit, else by a tag of its version."""
        commit, version = release.spec.provenance.commit, release.spec.provenance.version
        if commit is not None:
            numbers = [number for identity, number in self._numbers.items() if identity.startswith(commit)]
            if len(numbers) == 1:
                return numbers[0]
        tagged = (tag.revision for tag in self._tags if version is not None and tag.name.lstrip("v") == version)
        return next(tagged, None)

    def last_revision_until(self, date: str | None) -> int | None:
        """Return the number of the last revision up to a day, None if the history does not go as far."""
        if date is None or not any(day >= date for day, _ in self._days):
            return None
        return max((number for day, number in self._days if day <= date), default=None)
