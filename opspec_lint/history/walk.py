"""Builds or continues a history: reads one revision after the other, and stores the facts that each one changes."""

from __future__ import annotations

from opspec_lint.git import first_parents
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.history import read_ahead, releases
from opspec_lint.history.facts import OP, WITHHELD, unit_of, unresolved_ops
from opspec_lint.history.reader import Reader, change_from_text
from opspec_lint.history.store import Commit
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from opspec_lint.git.first_parents import PathChange, Revision
    from opspec_lint.history.contracts import Contract, Topic
    from opspec_lint.history.facts import Facts, Key, Unit
    from opspec_lint.history.read_ahead import ReadAhead
    from opspec_lint.history.reader import ContractChange, ContractReading
    from opspec_lint.history.store import Writer

_PORTION = 200
"""Revisions of a transaction: the most that is lost if the process is killed."""
_WORTH = 1000
"""Revisions from which on a second process is worth its start."""


class WalkResult(Record):
    """The result of building a history: the number of added revisions, and remarks for the user."""

    added: int
    remarks: tuple[str, ...] = ()


def build_history(
    writer: Writer, topic: Topic, since: str | None, progress: Callable[[int, int, str], None], jobs: int = 2
) -> WalkResult:
    """Build a history, or continue it up to the last revision of its topic.

    `since` is the id of the first revision, None for the root, or for the first one in the file. `progress` is a
    callback: `(done, total, date of the last revision)`. `jobs` is the number of processes that may read revisions, 1
    or 2. Raises InputError if the file is the history of another topic, another process writes it, or git fails;
    UsageError if `since` is not an ancestor, or not the first revision of the file.
    """
    writer.begin()
    remarks: list[str] = []
    _check_topic(writer, topic)
    start = _plan_walk(writer, topic, since, remarks)
    if start is None:
        return WalkResult(added=0, remarks=tuple(remarks))
    progress(0, len(start.chain), "")
    last_unread = start.last_unread(writer.commits_read_ahead(), jobs)
    with read_ahead.start_read_ahead(topic, start.before, last_unread) as helper:
        walk = _Walk(writer, topic, start, helper)
        for done, date in enumerate(walk.steps(), 1):
            progress(min(done + walk.read_ahead_count, len(start.chain)), len(start.chain), date)
            if not done % _PORTION:
                # Between the two transactions another process could have got the lock.
                writer.save()
                writer.begin()
                walk.require_sole_writer()
    # All tags anew: tags may have been added or moved since the last run, for revisions of that run, too.
    writer.set_tags(releases.tags(topic.opened.repository, writer))
    writer.finish()
    for contract in topic.contracts:
        contract.close()
    return WalkResult(added=len(start.chain), remarks=tuple(remarks))


class _WalkPlan(Record):
    """The revisions to add: `base` is the last one in the file, None for an empty file; `chain` are the ones to add.

    `before` is the id of the revision before `chain`, None for none.
    """

    base: Commit | None
    before: str | None
    chain: list[str]

    def last_unread(self, known: Collection[str], jobs: int) -> str | None:
        """Return the last revision that a second process should read; None if it is not worth its start.

        `known` are revisions whose changes were stored ahead by an earlier run; `jobs` is the allowed number of
        processes.
        """
        end = len(self.chain)
        if known:
            end = next((index for index, commit in enumerate(self.chain) if commit in known), end)
        return self.chain[end - 1] if jobs > 1 and end >= _WORTH else None


def _check_topic(writer: Writer, topic: Topic) -> None:
    about = writer.about()
    if "place" not in about:
        declare(writer, topic, topic.contracts)
    elif about["place"] != topic.place:
        problem = f"is the history of {about['place']}, not of {topic.place}"
        raise InputError(writer.file, problem, advice="name another file with --output")


def declare(writer: Writer, topic: Topic, contracts: Iterable[Contract]) -> None:
    """Write the source and the contracts of a new history."""
    from opspec_lint import __version__

    properties = {"source": topic.name, "place": topic.place, "version": __version__}
    writer.declare([contract.name for contract in contracts], properties)


def add_revision(writer: Writer, number: int, revision: Revision) -> str:
    """Write a revision, and return its date."""
    date = revision.date[:10]
    writer.add_commit(
        Commit(
            number=number,
            id=revision.commit,
            date=date,
            subject=revision.subject,
            pull_request=revision.pull_request,
        )
    )
    return date


def _plan_walk(writer: Writer, topic: Topic, since: str | None, remarks: list[str]) -> _WalkPlan | None:
    """Return the revisions to add; None if the file has the last revision already."""
    chain = first_parents.commits(topic.opened.repository, topic.tip)
    first, last = writer.first(), writer.last()
    if since is not None and since not in chain:
        since = first_parent_base(topic, since, chain, remarks)
    if first is None or last is None:
        if topic.opened.repository.cut(topic.tip) and since is None:
            remarks.append(f"the clone is shallow: the history begins at {chain[0][:10]}; `git fetch --unshallow`")
        index = 0 if since is None else chain.index(since)
        return _WalkPlan(base=None, before=chain[index - 1] if index else None, chain=chain[index:])
    if since is not None and since != first.id:
        raise UsageError(f"{writer.file} begins at {first.id[:10]}", advice="leave --since out, or name another file")
    places = {commit: place for place, commit in enumerate(chain)}
    recorded = writer.numbers()
    if topic.tip in recorded:
        return None
    number = next((number for commit, number in reversed(recorded.items()) if commit in places), None)
    if number is None:
        problem = f"has no revision in common with {topic.tip[:10]}"
        raise InputError(writer.file, problem, advice="it may be the history of another branch: name another file")
    # The branch may have been rewritten: keep the revisions up to the last common one.
    common = writer.commit_at(number)
    if common.id != last.id:
        remarks.append(f"{plural(last.number - common.number, 'revision')} behind {common.id[:10]} were rewritten")
        writer.forget(common.number)
    return _WalkPlan(base=common, before=common.id, chain=chain[places[common.id] + 1 :])


def first_parent_base(topic: Topic, since: str, chain: Collection[str], remarks: list[str]) -> str:
    """Return the merge base for a revision on another branch, such as the tag of a release branch.

    Raises UsageError if no merge base is a first-parent ancestor of the last revision.
    """
    bases = topic.opened.repository.merge_bases(topic.tip, [since])
    base = next((commit for commit in bases if commit in chain), None)
    if base is None:
        raise UsageError(f"--since {since[:10]} is no first-parent ancestor of {topic.tip[:10]}", advice="name another")
    remarks.append(f"{since[:10]} is on another branch: the history begins at the merge base, {base[:10]}")
    return base


class _Walk:
    """Adds the planned revisions to the file, one after the other.

    `read_ahead_count` is the number of coming revisions whose changes a second process has read already.
    """

    def __init__(self, writer: Writer, topic: Topic, start: _WalkPlan, helper: ReadAhead) -> None:
        self.read_ahead_count = len(writer.commits_read_ahead())
        self._writer = writer
        self._topic = topic
        self._plan = start
        self._helper = helper
        self._number = -1 if start.base is None else start.base.number
        self._states = [
            ContractState(writer, index, contract, self._number) for index, contract in enumerate(topic.contracts)
        ]

    def steps(self) -> Iterator[str]:
        """Add one revision after the other, and yield the date of each."""
        before, first, repository = self._plan.before, self._plan.chain[0], self._topic.opened.repository
        is_first = self._plan.base is None and before is not None
        tree = MovingTree(self._topic.name, self._topic.opened, first if is_first else before, self._topic.prefix)
        for revision, changes in first_parents.oldest_first(repository, before, self._topic.tip):
            for contract, commit, change in self._helper.received_changes():
                self._writer.add_read_ahead(contract, commit, change)
                self.read_ahead_count += contract == 0
            if not is_first:
                tree.move(revision.commit, changes)
            yield self._add(revision, tree, None if is_first else changes)
            is_first = False

    def require_sole_writer(self) -> None:
        """Raise InputError if another process has written revisions between two transactions."""
        last = self._writer.last()
        if last is None or last.number != self._number:
            raise InputError(self._writer.file, "another process writes it", advice="run it again when that has ended")

    def _add(self, revision: Revision, tree: MovingTree, changes: list[PathChange] | None) -> str:
        self._number += 1
        date = add_revision(self._writer, self._number, revision)
        for index, state in enumerate(self._states):
            change_text = self._writer.read_ahead_change(index, revision.commit) if self.read_ahead_count else None
            if change_text is None:
                state.read(self._number, revision.commit, tree, changes)
                continue
            # The two processes have met: the changes of all further revisions are stored already.
            self._helper.stop()
            self.read_ahead_count -= index == 0
            state.apply(self._number, change_from_text(change_text))
        return date


class ContractState:
    """The facts of a contract at the last added revision; writes the differences of the next one."""

    def __init__(self, writer: Writer, index: int, contract: Contract, number: int) -> None:
        self._writer = writer
        self._index = index
        self._reader = Reader(contract)
        self._facts: dict[Unit, Facts] = {}
        for fact in writer.facts(number, index):
            self._facts.setdefault((unit_of(fact.key), fact.op), {})[fact.key] = fact.value
        self._declared: Mapping[Unit, Facts] = {
            unit: facts for unit, facts in self._facts.items() if WITHHELD not in facts
        }
        self._problem = writer.unread(number, index)

    def read(self, number: int, commit: str, tree: MovingTree, changes: list[PathChange] | None) -> None:
        """Read a contract at a revision, and write its changes; `changes` is None if the changed paths are unknown."""
        seen = self._reader.read_at(commit, tree, changes, commit)
        if seen is None:
            self._write(number, self._declared, self._problem)
        else:
            self._write(number, self._declared if seen.problem else seen.facts, self._problem_of(seen))

    def apply(self, number: int, change: ContractChange) -> None:
        """Write a change that was read ahead, without reading the revision."""
        self._reader.lose_track()
        now = {**self._declared, **change.units}
        self._write(number, {unit: facts for unit, facts in now.items() if facts}, self._problem_of(change))

    def _problem_of(self, step: ContractReading | ContractChange) -> str | None:
        """Return the reason why the contract has a gap at a revision, None if it has none.

        A source without ops that never had ops has not begun yet. A source that had ops before has a gap, as for a file
        that cannot be parsed: a revert often brings the ops back, and they are not new then.
        """
        return None if step.is_absent and not self._facts else step.problem

    def _write(self, number: int, declared: Mapping[Unit, Facts], problem: str | None) -> None:
        """Write the facts that changed with a revision; of one that could not be read, the problem alone."""
        self._problem = problem
        if problem is not None:
            self._writer.add_unread(self._index, number, problem)
            return
        added, ended = self._advance(declared)
        if ended:
            self._writer.end_facts(self._index, number, ended)
        if added:
            self._writer.add_facts(self._index, number, added)

    def _advance(self, declared: Mapping[Unit, Facts]) -> tuple[list[tuple[str, Key, str]], list[tuple[str, Key]]]:
        """Move to the facts of the next revision, and return the facts that it adds, and the keys that it ends."""
        if declared is self._declared:
            return [], []
        now, lost = dict(declared), unresolved_ops(declared)
        # An op that cannot be resolved for a while keeps its last facts: it was neither removed nor added again.
        for unit, facts in self._facts.items():
            if unit[0] == OP and unit[1] in lost and unit not in now:
                now[unit] = facts if WITHHELD in facts else {**facts, WITHHELD: "true"}
        added: list[tuple[str, Key, str]] = []
        ended: list[tuple[str, Key]] = []
        for unit in self._facts.keys() | now.keys():
            old, new = self._facts.get(unit, {}), now.get(unit, {})
            if old is not new:
                added += ((unit[1], key, value) for key, value in new.items() if old.get(key) != value)
                ended += ((unit[1], key) for key, value in old.items() if new.get(key) != value)
        self._facts, self._declared = now, declared
        return added, ended
