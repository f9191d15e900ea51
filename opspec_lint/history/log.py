"""The commits that changed a contract, with the findings that `check` reports between each commit and its parent."""

from __future__ import annotations

from opspec_lint.history.facts import SpecAssembly, unit_of
from opspec_lint.history.releases import tags_containing
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
        return tuple(finding for comparison in self.comparisons for finding in comparison.findings)


def entries(
    history: History, base: Commit, head: Commit, profile: Profile | None, counts: Callable[[Finding], bool]
) -> Iterator[LoggedCommit]:
    """Yield the commits after `base` up to `head` that changed the contract, oldest first.

    `profile` is None for the default of the framework. Findings for which `counts` is false are left out, and so are
    commits without findings. Raises InputError if the file is damaged.
    """
    tags = history.tags()
    contracts = [_ContractReplay(history, index, base) for index in range(len(history.contracts()))]
    for number, changed in _facts_by_revision(history, base.number, head.number).items():
        commit = history.commit_at(number)
        pairs = [contract.advance(changed.get(index, []), number, commit) for index, contract in enumerate(contracts)]
        yield from _logged_commit(commit, pairs, profile, counts, tags)


def _logged_commit(
    commit: Commit, pairs: list[_Pair], profile: Profile | None, counts: Callable[[Finding], bool], tags: list[Tag]
) -> Iterator[LoggedCommit]:
    """Yield the entry of a commit in the log, unless no finding of the commit counts."""
    comparisons = []
    for comparison in _comparisons(pairs, profile):
        # An op that stays unresolved would otherwise be repeated for every commit.
        findings = tuple(
            finding for finding in comparison.findings if finding.rule != STILL_UNRESOLVED and counts(finding)
        )
        if findings:
            comparisons.append(comparison.replace(findings=findings))
    if comparisons:
        yield LoggedCommit(
            commit=commit, comparisons=tuple(comparisons), releases=tuple(tags_containing(commit.number, tags))
        )


def _comparisons(pairs: list[_Pair], profile: Profile | None) -> Iterator[Comparison]:
    """Yield the comparisons that `check` makes: of the contract itself, and of contracts that refer to it."""
    (base, head), *others = pairs
    if base is None or head is None:
        return
    yield check(base, head, profile)
    both = [(old, new) for old, new in others if old is not None and new is not None]
    # A profile of one framework cannot judge the contract of another one.
    general = None if profile is None or profile.framework else profile
    if crossing.is_target(head.provenance.framework):
        crossings = crossing.changed_crossings((old for old, _ in both), [(base, head)])
    else:
        crossings = crossing.changed_crossings([base], both)
    for changed in crossings:
        yield check(changed.base, changed.head, general, before=changed.before)


def _facts_by_revision(history: History, after: int, upto: int) -> dict[int, dict[int, list[Fact]]]:
    """Return the facts that were added or ended by each revision, by contract, in the order of the revisions."""
    facts: dict[int, dict[int, list[Fact]]] = {}
    for fact in history.facts_changed_between(after, upto):
        for number in (fact.came, fact.went):
            if number is not None and after < number <= upto:
                facts.setdefault(number, {}).setdefault(fact.contract, []).append(fact)
    return dict(sorted(facts.items()))


class _ContractReplay:
    """A contract that is moved forward from revision to revision by its facts."""

    def __init__(self, history: History, index: int, at: Commit) -> None:
        self._name = history.contracts()[index]
        self._units: dict[Unit, Facts] = {}
        for fact in history.facts(at.number, index):
            self._units.setdefault((unit_of(fact.key), fact.op), {})[fact.key] = fact.value
        self._assembly = SpecAssembly(self._units)
        self._spec = self._read(at)

    def advance(self, changed: list[Fact], number: int, commit: Commit) -> _Pair:
        """Apply the facts that were added or ended by a revision, and return the spec before and after."""
        base = self._spec
        changed_units: dict[Unit, Facts] = {}
        for fact in changed:
            unit = unit_of(fact.key), fact.op
            facts = changed_units.setdefault(unit, dict(self._units.get(unit, {})))
            if fact.went == number:
                facts.pop(fact.key, None)
        # Removals first: a changed value is one fact that ends and one that begins under the same key.
        for fact in changed:
            if fact.came == number:
                changed_units[unit_of(fact.key), fact.op][fact.key] = fact.value
        if changed_units:
            self._units |= changed_units
            self._assembly.update_units(changed_units)
            self._spec = self._read(commit)
        return base, self._spec

    def _read(self, commit: Commit) -> Spec | None:
        try:
            return self._assembly.spec(f"{self._name}@{commit.id[:10]}", commit.id)
        except NothingThereError:
            return None


if TYPE_CHECKING:
    _Pair = tuple[Spec | None, Spec | None]
