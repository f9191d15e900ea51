"""A second process that reads the revisions from the last one backwards, until it meets the first process.

Both processes thus do half of the work, however much single revisions cost. The second process sends the changes of
each contract, newest first, and the first process stores them until it gets to these revisions. The second process may
fail at any time: the first one reads every revision that was not sent, and reports its errors.
"""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import contextmanager

from opspec_lint.git import first_parents
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.history.reader import ContractChange, Reader, change_between, change_to_text
from opspec_lint.kit.errors import OpspecError
from opspec_lint.sources.reading import Reading, open_repositories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.history.contracts import Contract, Topic
    from opspec_lint.history.facts import Facts, Unit


class ReadAhead:
    """The receiving end of the changes that the second process sends; `connection` is None without such a process."""

    def __init__(self, connection: Connection | None) -> None:
        self._connection = connection

    def received_changes(self) -> Iterator[tuple[int, str, str]]:
        """Yield the changes received so far: number of the contract, id of the revision, and the change as text."""
        try:
            while self._connection is not None and self._connection.poll():
                yield self._connection.recv()
        except (EOFError, OSError):
            self.stop()

    def stop(self) -> None:
        """Close the connection, which ends the second process at its next change."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def start_read_ahead(topic: Topic, base: str | None, start: str | None) -> Iterator[ReadAhead]:
    """Start the second process, and yield its receiving end; the process ends with the context at the latest.

    `base` is the id of the revision before the first needed one, None for none. `start` is the id of the revision to
    read first, None to start no process.
    """
    if start is None:
        yield ReadAhead(None)
        return
    # "spawn": a forked process would share the open git process and the database connection.
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe()
    process = context.Process(
        target=_send_changes, args=(sender, topic.name, _picklable(topic.reading), topic.tip, (base, start))
    )
    # A daemon process ends with this process, in whatever way this one ends.
    process.daemon = True
    process.start()
    sender.close()
    ahead = ReadAhead(receiver)
    try:
        yield ahead
    finally:
        ahead.stop()
        process.terminate()
        process.join()


def read_backwards(topic: Topic, base: str | None, start: str) -> Iterator[tuple[int, str, ContractChange]]:
    """Yield the changes of the contracts of a topic from revision `start` back to `base`, newest first.

    `base`, the id of the revision before the last one to read, is None for the root.
    """
    contracts = [_BackwardContract(contract) for contract in topic.contracts]
    tree = MovingTree(topic.name, topic.opened, start, topic.prefix)
    step = start
    changes: list[PathChange] | None = None
    for revision, undone in first_parents.newest_first(topic.opened.repository, base, start):
        if changes is not None:
            tree.move(revision.commit, changes)
        for number, contract in enumerate(contracts):
            for commit, change in contract.changes_at(revision.commit, tree, changes, step):
                yield number, commit, change
        step, changes = revision.commit, undone


class _BackwardContract:
    """A contract that is read at one revision after the other, from the newest to the oldest."""

    def __init__(self, contract: Contract) -> None:
        self._reader = Reader(contract)
        self._later: tuple[str, Mapping[Unit, Facts]] | None = None
        self._problem: ContractChange | None = None

    def changes_at(
        self, commit: str, tree: MovingTree, changes: Sequence[PathChange] | None, step: str
    ) -> Iterator[tuple[str, ContractChange]]:
        """Read the contract at a revision, and yield the changes that are complete with it, each with its revision."""
        seen = self._reader.read_at(commit, tree, changes, step)
        if seen is not None:
            # The change of a revision is known only when the revision before it was read, hence the one step of delay.
            self._problem = ContractChange(problem=seen.problem, is_absent=seen.is_absent) if seen.problem else None
        if self._problem is not None:
            yield commit, self._problem
            return
        facts = seen.facts if seen is not None else self._later[1] if self._later is not None else {}
        if self._later is not None:
            yield self._later[0], change_between(facts, self._later[1])
        self._later = commit, facts


def _picklable(reading: Reading) -> Reading:
    """Return the reading options without open repositories and callbacks, which cannot be pickled."""
    return Reading(
        environment=dict(reading.environment), build=reading.build, include=reading.include, caches=reading.caches
    )


def _send_changes(connection: Connection, name: str, reading: Reading, tip: str, ends: tuple[str | None, str]) -> None:
    """Send the changes of a topic until the receiver closes the connection; runs in the second process."""
    from opspec_lint.history.contracts import topic_of

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
    try:
        with open_repositories(reading) as repositories:
            for number, commit, change in read_backwards(topic_of(name, reading, repositories, tip), *ends):
                if connection.poll():
                    return
                connection.send((number, commit, change_to_text(change)))
    except (OpspecError, OSError):  # the first process reads these revisions itself and reports the error, or has ended
        return
