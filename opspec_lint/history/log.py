"""The commits that changed the contract, each with its findings, as `check` finds them between it and its parent."""

from __future__ import annotations

from opspec_lint.history.facts import Assembly, unit_of
from opspec_lint.history.releases import containing
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.kit.record import Record
from opspec_lint.lint import crossing
from opspec_lint.lint.check import check
from opspec_lint.lint.remarks import STILL_UNRESOLVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.history.facts import Facts, Unit
    from opspec_lint.history.store import Commit, Fact, History, Tag
    from opspec_lint.lint.profile import Profile
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.model import Spec


class LoggedCommit(Record):
    """A commit that changed the contract: its comparisons with its parent, and the tags that contain it."""

    commit: Commit
    comparisons: tuple[Comparison, ...]
    releases: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all comparisons."""
        return tuple(finding for each in self.comparisons for finding in each.findings)


def entries(
    history: History, base: Commit, head: Commit, profile: Profile | None, counts: Callable[[Finding], bool]
) -> Iterator[LoggedCommit]:
    """Yield the commits behind one revision, up to another, that changed the contract, oldest first.

    Args:
        history: the history.
        base: the revision that is not looked at.
        head: the last revision.
        profile: the policy; None for the default of the framework.
        counts: tells whether to yield a finding; a commit without findings is left out.

    Raises:
        InputError: the file is damaged.
    """
    tags = history.tags()
    contracts = [_Contract(history, index, base) for index in range(len(history.contracts()))]
    for number, turned in _by_revision(history, base.number, head.number).items():
        commit = history.numbered(number)
        pairs = [each.turn(turned.get(index, []), number, commit) for index, each in enumerate(contracts)]
        yield from _entry(commit, pairs, profile, counts, tags)


def _entry(
    commit: Commit, pairs: list[_Pair], profile: Profile | None, counts: Callable[[Finding], bool], tags: list[Tag]
) -> Iterator[LoggedCommit]:
    found = []
    for each in _comparisons(pairs, profile):
        findings = tuple(finding for finding in each.findings if finding.rule != STILL_UNRESOLVED and counts(finding))
        if findings:
            found.append(each.replace(findings=findings))
    if found:
        yield LoggedCommit(commit=commit, comparisons=tuple(found), releases=tuple(containing(commit.number, tags)))


def _comparisons(pairs: list[_Pair], profile: Profile | None) -> Iterator[Comparison]:
    """Yield what `check` compares: the contract itself, and where it meets those beside it."""
    (base, head), *others = pairs
    if base is None or head is None:
        return
    yield check(base, head, profile)
    both = [(old, new) for old, new in others if old is not None and new is not None]
    general = None if profile is None or profile.framework else profile
    if crossing.leads_to(head.provenance.framework):
        met = crossing.met((old for old, _ in both), [(base, head)])
    else:
        met = crossing.met([base], both)
    for old, before, new in met:
        yield check(old, new, general, before=before)


def _by_revision(history: History, after: int, upto: int) -> dict[int, dict[int, list[Fact]]]:
    """Return the facts that came or went with each revision, by contract, in the order of the revisions."""
    found: dict[int, dict[int, list[Fact]]] = {}
    for fact in history.turns(after, upto):
        for number in (fact.came, fact.went):
            if number is not None and after < number <= upto:
                found.setdefault(number, {}).setdefault(fact.contract, []).append(fact)
    return dict(sorted(found.items()))


class _Contract:
    """A contract at one revision after the other."""

    def __init__(self, history: History, index: int, at: Commit) -> None:
        self._name = history.contracts()[index]
        self._units: dict[Unit, Facts] = {}
        for fact in history.facts(at.number, index):
            self._units.setdefault((unit_of(fact.key), fact.op), {})[fact.key] = fact.value
        self._assembly = Assembly(self._units)
        self._spec = self._read(at)

    def turn(self, turned: list[Fact], number: int, commit: Commit) -> _Pair:
        """Take the facts that came or went with a revision, and return the spec before it and at it."""
        base = self._spec
        touched: dict[Unit, Facts] = {}
        for fact in turned:
            unit = unit_of(fact.key), fact.op
            facts = touched.setdefault(unit, dict(self._units.get(unit, {})))
            if fact.went == number:
                facts.pop(fact.key, None)
        for fact in turned:
            if fact.came == number:
                touched[unit_of(fact.key), fact.op][fact.key] = fact.value
        if touched:
            self._units |= touched
            self._assembly.take(touched)
            self._spec = self._read(commit)
        return base, self._spec

    def _read(self, commit: Commit) -> Spec | None:
        try:
            return self._assembly.spec(f"{self._name}@{commit.id[:10]}", commit.id)
        except NothingThereError:
            return None


if TYPE_CHECKING:
    _Pair = tuple[Spec | None, Spec | None]
