"""Builds and continues a history: goes through the revisions, and adds what each of them changes."""

from __future__ import annotations

from opspec_lint.git import first_parents
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.history import ahead, releases
from opspec_lint.history.facts import OP, WITHHELD, unit_of, unresolved
from opspec_lint.history.reader import Reader, turn_of_text
from opspec_lint.history.store import Commit
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from opspec_lint.git.first_parents import PathChange, Revision
    from opspec_lint.history.ahead import Ahead
    from opspec_lint.history.contracts import Contract, Topic
    from opspec_lint.history.facts import Facts, Key, Unit
    from opspec_lint.history.reader import Seen, Turn
    from opspec_lint.history.store import Writer

_PORTION = 200
"""Revisions of a transaction: what a kill loses at most."""
_WORTH = 1000
"""Revisions for which a second process pays."""


class Walked(Record):
    """What was done: how many revisions were added, and remarks for people."""

    added: int
    remarks: tuple[str, ...] = ()


def follow(
    writer: Writer, topic: Topic, since: str | None, progress: Callable[[int, int, str], None], jobs: int = 2
) -> Walked:
    """Build a history, or continue it up to the last revision of its topic.

    Args:
        writer: the file.
        topic: what it is the history of.
        since: the id of its first revision, None for the root, or for what the file begins with.
        progress: is told how many revisions are done, of how many, and the date of the last.
        jobs: how many processes may read revisions: 1, or 2 where there are many.

    Raises:
        InputError: the file is the history of something else, or another process writes it; git cannot be read.
        UsageError: `since` is not an ancestor, or not the first revision of the file.
    """
    writer.begin()
    remarks: list[str] = []
    _check_topic(writer, topic)
    start = _start(writer, topic, since, remarks)
    if start is None:
        return Walked(added=0, remarks=tuple(remarks))
    progress(0, len(start.chain), "")
    with ahead.started(topic, start.before, start.last_unread(writer.ahead(), jobs)) as helper:
        walk = _Walk(writer, topic, start, helper)
        for done, date in enumerate(walk.steps(), 1):
            progress(min(done + walk.ahead, len(start.chain)), len(start.chain), date)
            if not done % _PORTION:
                writer.save()
                writer.begin()
                walk.require_alone()
    writer.set_tags(releases.tags(topic.opened.repository, writer))
    writer.finish()
    for contract in topic.contracts:
        contract.close()
    return Walked(added=len(start.chain), remarks=tuple(remarks))


class _Start(Record):
    """Where to begin: `base` is the last revision that the file has, None for none; `chain` are those to add.

    `before` is the id of the revision before these, None for none.
    """

    base: Commit | None
    before: str | None
    chain: list[str]

    def last_unread(self, known: Collection[str], jobs: int) -> str | None:
        """Return the last revision that a second process is to read; None if it would not pay.

        Args:
            known: the revisions of which it is known what they turn.
            jobs: how many processes there may be.
        """
        end = len(self.chain)
        if known:
            end = next((place for place, commit in enumerate(self.chain) if commit in known), end)
        return self.chain[end - 1] if jobs > 1 and end >= _WORTH else None


def _check_topic(writer: Writer, topic: Topic) -> None:
    from opspec_lint import __version__

    about = writer.about()
    if "place" not in about:
        writer.declare(
            [each.name for each in topic.contracts],
            {"source": topic.name, "place": topic.place, "version": __version__},
        )
    elif about["place"] != topic.place:
        problem = f"is the history of {about['place']}, not of {topic.place}"
        raise InputError(writer.file, problem, advice="name another file with --output")


def _start(writer: Writer, topic: Topic, since: str | None, remarks: list[str]) -> _Start | None:
    """Return where to begin, None if the file has the last revision already."""
    chain = first_parents.commits(topic.opened.repository, topic.tip)
    first, last = writer.first(), writer.last()
    if since is not None and since not in chain:
        since = _first_parent_base(topic, since, chain, remarks)
    if first is None or last is None:
        if topic.opened.repository.cut(topic.tip) and since is None:
            remarks.append(f"the clone is shallow: the history begins at {chain[0][:10]}; `git fetch --unshallow`")
        place = 0 if since is None else chain.index(since)
        return _Start(base=None, before=chain[place - 1] if place else None, chain=chain[place:])
    if since is not None and since != first.id:
        raise UsageError(f"{writer.file} begins at {first.id[:10]}", advice="leave --since out, or name another file")
    places = {commit: place for place, commit in enumerate(chain)}
    recorded = writer.numbers()
    if topic.tip in recorded:
        return None
    number = next((number for commit, number in reversed(recorded.items()) if commit in places), None)
    if number is None:
        problem = f"has no revision in common with {topic.tip[:10]}"
        raise InputError(writer.file, problem, advice="is it the history of another branch? Name another file")
    common = writer.numbered(number)
    if common.id != last.id:
        remarks.append(f"{plural(last.number - common.number, 'revision')} behind {common.id[:10]} were rewritten")
        writer.forget(common.number)
    return _Start(base=common, before=common.id, chain=chain[places[common.id] + 1 :])


def _first_parent_base(topic: Topic, since: str, chain: Collection[str], remarks: list[str]) -> str:
    """Return the merge base with a revision that is on another branch, such as the tag of a release.

    Raises:
        UsageError: no merge base is a first-parent ancestor of the last revision.
    """
    bases = topic.opened.repository.merge_bases(topic.tip, [since])
    base = next((commit for commit in bases if commit in chain), None)
    if base is None:
        raise UsageError(f"--since {since[:10]} is no first-parent ancestor of {topic.tip[:10]}", advice="name another")
    remarks.append(f"{since[:10]} is on another branch: the history begins at the merge base, {base[:10]}")
    return base


class _Walk:
    """Goes through revisions and adds them.

    `ahead` is how many of those that are still to come are known already.

    Args:
        writer: the file.
        topic: what it is the history of.
        start: where to begin.
        helper: what a second process sends.
    """

    def __init__(self, writer: Writer, topic: Topic, start: _Start, helper: Ahead) -> None:
        self.ahead = len(writer.ahead())
        self._writer = writer
        self._topic = topic
        self._start = start
        self._helper = helper
        self._number = -1 if start.base is None else start.base.number
        self._states = [_State(writer, index, each, self._number) for index, each in enumerate(topic.contracts)]

    def steps(self) -> Iterator[str]:
        """Add one revision after the other, and yield the date of each."""
        before, first, repository = self._start.before, self._start.chain[0], self._topic.opened.repository
        is_first = self._start.base is None and before is not None
        tree = MovingTree(self._topic.name, self._topic.opened, first if is_first else before, self._topic.prefix)
        for revision, changes in first_parents.oldest_first(repository, before, self._topic.tip):
            for contract, commit, turn in self._helper.arrived():
                self._writer.add_turn(contract, commit, turn)
                self.ahead += contract == 0
            if not is_first:
                tree.move(revision.commit, changes)
            yield self._add(revision, tree, None if is_first else changes)
            is_first = False

    def require_alone(self) -> None:
        """Make sure that nobody else has written between two transactions.

        Raises:
            InputError: another process has.
        """
        last = self._writer.last()
        if last is None or last.number != self._number:
            raise InputError(self._writer.file, "another process writes it", advice="run it again when that has ended")

    def _add(self, revision: Revision, tree: MovingTree, changes: list[PathChange] | None) -> str:
        self._number += 1
        date = revision.date[:10]
        self._writer.add_commit(
            Commit(
                number=self._number,
                id=revision.commit,
                date=date,
                subject=revision.subject,
                pull_request=revision.pull_request,
            )
        )
        for index, state in enumerate(self._states):
            turn = self._writer.turn(index, revision.commit) if self.ahead else None
            if turn is None:
                state.read(self._number, revision.commit, tree, changes)
                continue
            self._helper.leave()
            self.ahead -= index == 0
            state.take(self._number, turn_of_text(turn))
        return date


class _State:
    """The facts of a contract at the last revision, and how they change with the next one."""

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
        """Read the contract at a revision, and write what changed; None for changes that nobody knows."""
        seen = self._reader.at(commit, tree, changes, commit)
        if seen is None:
            self._go(number, self._declared, self._problem)
        else:
            self._go(number, self._declared if seen.problem else seen.facts, self._problem_of(seen))

    def take(self, number: int, turn: Turn) -> None:
        """Write what is known to change with a revision, without reading it."""
        self._reader.lose_track()
        now = {**self._declared, **turn.units}
        self._go(number, {unit: facts for unit, facts in now.items() if facts}, self._problem_of(turn))

    def _problem_of(self, step: Seen | Turn) -> str | None:
        """Return why the contract has a gap at a revision.

        A source that is absent before its first ops has not begun yet. Behind them it is a gap, as for a file that
        cannot be parsed: a revert often brings it back, and the ops that return with it are not new.
        """
        return None if step.is_absent and not self._facts else step.problem

    def _go(self, number: int, declared: Mapping[Unit, Facts], problem: str | None) -> None:
        self._problem = problem
        if problem is not None:
            self._writer.add_unread(self._index, number, problem)
            return
        come, gone = self._turn(declared)
        if gone:
            self._writer.end_facts(self._index, number, gone)
        if come:
            self._writer.add_facts(self._index, number, come)

    def _turn(self, declared: Mapping[Unit, Facts]) -> tuple[list[tuple[str, Key, str]], list[tuple[str, Key]]]:
        """Take the facts of the next revision, and return those that come and those that go."""
        if declared is self._declared:
            return [], []
        now, lost = dict(declared), unresolved(declared)
        for unit, facts in self._facts.items():
            if unit[0] == OP and unit[1] in lost and unit not in now:
                now[unit] = facts if WITHHELD in facts else {**facts, WITHHELD: "true"}
        come: list[tuple[str, Key, str]] = []
        gone: list[tuple[str, Key]] = []
        for unit in self._facts.keys() | now.keys():
            old, new = self._facts.get(unit, {}), now.get(unit, {})
            if old is not new:
                come += ((unit[1], key, value) for key, value in new.items() if old.get(key) != value)
                gone += ((unit[1], key) for key, value in old.items() if new.get(key) != value)
        self._facts, self._declared = now, declared
        return come, gone
