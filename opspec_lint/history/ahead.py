"""A second process, which goes through the revisions from the last one towards the first, and meets the first process.

So each has as much to do as the other, however much a revision costs. What the second process finds it sends to the
first one, which writes it: the turn of each contract with each revision, newest first. It is a help and no more. What
it did not send is read by the first process, which says what is wrong where something is.
"""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import contextmanager

from opspec_lint.git import first_parents
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.history.reader import Reader, Turn, turn_between, turn_to_text
from opspec_lint.kit.errors import OpspecError
from opspec_lint.sources.reading import Reading, open_repositories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.history.contracts import Contract, Topic
    from opspec_lint.history.facts import Facts, Unit


class Ahead:
    """What the second process sends.

    Args:
        connection: where it comes from; None if there is no such process.
    """

    def __init__(self, connection: Connection | None) -> None:
        self._connection = connection

    def arrived(self) -> Iterator[tuple[int, str, str]]:
        """Yield what has arrived: the number of a contract, the id of a revision, and the turn as text."""
        try:
            while self._connection is not None and self._connection.poll():
                yield self._connection.recv()
        except (EOFError, OSError):
            self.leave()

    def leave(self) -> None:
        """Take nothing more, which ends the process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def started(topic: Topic, base: str | None, start: str | None) -> Iterator[Ahead]:
    """Start the second process, and yield what it sends. It ends with the context at the latest.

    Args:
        topic: what the history is of.
        base: the id of the revision before the first one that is needed, None for none.
        start: the id of the revision that it begins with, None for no such process.
    """
    if start is None:
        yield Ahead(None)
        return
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_go, args=(theirs, topic.name, _sendable(topic.reading), topic.tip, (base, start)))
    process.daemon = True
    process.start()
    theirs.close()
    ahead = Ahead(ours)
    try:
        yield ahead
    finally:
        ahead.leave()
        process.terminate()
        process.join()


def turns(topic: Topic, base: str | None, start: str) -> Iterator[tuple[int, str, Turn]]:
    """Yield the turns of the contracts of a topic from a revision back to another, newest first for each contract.

    Args:
        topic: the topic.
        base: the id of the revision before the last one, None for the root.
        start: the id of the first one.
    """
    contracts = [_Contract(each) for each in topic.contracts]
    tree = MovingTree(topic.name, topic.opened, start, topic.prefix)
    step = start
    changes: list[PathChange] | None = None
    for revision, undone in first_parents.newest_first(topic.opened.repository, base, start):
        if changes is not None:
            tree.move(revision.commit, changes)
        for number, each in enumerate(contracts):
            for commit, turn in each.go(revision.commit, tree, changes, step):
                yield number, commit, turn
        step, changes = revision.commit, undone


class _Contract:
    """A contract at one revision after the other, against their order."""

    def __init__(self, contract: Contract) -> None:
        self._reader = Reader(contract)
        self._later: tuple[str, Mapping[Unit, Facts]] | None = None
        self._problem: Turn | None = None

    def go(
        self, commit: str, tree: MovingTree, changes: Sequence[PathChange] | None, step: str
    ) -> Iterator[tuple[str, Turn]]:
        """Read the contract at a revision, and yield the turns that are known with it, each with its revision."""
        seen = self._reader.at(commit, tree, changes, step)
        if seen is not None:
            self._problem = Turn(problem=seen.problem, is_absent=seen.is_absent) if seen.problem else None
        if self._problem is not None:
            yield commit, self._problem
            return
        facts = seen.facts if seen is not None else self._later[1] if self._later is not None else {}
        if self._later is not None:
            yield self._later[0], turn_between(facts, self._later[1])
        self._later = commit, facts


def _sendable(reading: Reading) -> Reading:
    """Return the options for reading without what cannot be sent to another process."""
    return Reading(
        environment=dict(reading.environment), build=reading.build, include=reading.include, caches=reading.caches
    )


def _go(connection: Connection, name: str, reading: Reading, tip: str, ends: tuple[str | None, str]) -> None:
    """Send the turns of a topic until nobody takes them any more."""
    from opspec_lint.history.contracts import topic_of

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
    try:
        with open_repositories(reading) as repositories:
            for number, commit, turn in turns(topic_of(name, reading, repositories, tip), *ends):
                if connection.poll():
                    return
                connection.send((number, commit, turn_to_text(turn)))
    except (OpspecError, OSError):  # the first process will meet the same, or has ended
        return
