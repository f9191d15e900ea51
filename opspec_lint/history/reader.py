"""Reads a contract at one revision after the other, and computes the changes between two revisions."""

from __future__ import annotations

import gc
import json

from opspec_lint.git.moving_tree import AccessLog
from opspec_lint.history.facts import FactExtractor
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.git.moving_tree import MovingTree
    from opspec_lint.history.contracts import Contract
    from opspec_lint.history.facts import Facts, Unit


_GARBAGE = 20
"""Revisions between two collections of new garbage; the automatic collection is off in this program."""
_OLD_GARBAGE = 10 * _GARBAGE
"""Revisions between two collections of all garbage: what most revisions share is large, and is never garbage."""
_NEW = 1
"""The garbage collector's oldest generation but one: the objects made since the last collection."""


class ContractReading(Record):
    """A contract as read at one revision: its facts, or the problem why it could not be read.

    `is_absent`: the problem is that the source declares no ops, as before its first file and after its last one.
    """

    facts: Mapping[Unit, Facts] = {}
    problem: str | None = None
    is_absent: bool = False


class Reader:
    """Reads one contract at successive revisions, in either direction, and skips those that change no file it read.

    Args:
        contract: the contract.
        only: the op whose facts are read; None for all ops.
    """

    def __init__(self, contract: Contract, only: str | None = None) -> None:
        self._contract = contract
        self._extractor = FactExtractor(only)
        self._accessed: AccessLog | None = None
        self._read = 0

    def read_at(
        self, commit: str, tree: MovingTree, changes: Sequence[PathChange] | None, step: str
    ) -> ContractReading | None:
        """Return the contract at a revision; None if it is the same as at the revision that was read before.

        `tree` must be at `commit`. `changes` are the paths that differ from the revision read before, None if they are
        unknown. `step` is the id of the later one of these two revisions: a rename takes effect between them.
        """
        # The log has all paths that the last read accessed, absent ones too; other changes cannot affect the contract.
        before = None if step in self._contract.renames else self._accessed
        if changes is not None and before is not None and not before.concerns(changes):
            return None
        tree.accessed = self._accessed = AccessLog(self._contract.suffixes)
        self._read += 1
        # Specs have reference cycles, and a history reads thousands of them.
        if not self._read % _OLD_GARBAGE:
            gc.collect()
        elif not self._read % _GARBAGE:
            gc.collect(_NEW)
        try:
            return ContractReading(facts=self._extractor.extract(self._contract.read(tree, commit), commit))
        except NothingThereError as error:
            return ContractReading(problem=error.message, is_absent=True)
        except InputError as error:
            self._accessed = None  # the message names the revision, so the next one needs its own
            return ContractReading(problem=error.message)

    def lose_track(self) -> None:
        """Forget the previous revision, so that the next one is read in any case: revisions were skipped."""
        self._accessed = None


class ContractChange(Record):
    """The change of a contract from one revision to the next.

    `units` has the new facts of each changed unit; a unit without facts was removed. `problem` is the reason why the
    contract could not be read, which leaves the units unchanged; `is_absent` as in `ContractReading`.
    """

    units: Mapping[Unit, Facts] = {}
    problem: str | None = None
    is_absent: bool = False


def change_between(old: Mapping[Unit, Facts], new: Mapping[Unit, Facts]) -> ContractChange:
    """Return the change that turns the facts `old` into `new`."""
    gone: dict[Unit, Facts] = {unit: {} for unit in old if unit not in new}
    return ContractChange(units=gone | {unit: facts for unit, facts in new.items() if old.get(unit) != facts})


def change_to_text(change: ContractChange) -> str:
    """Return a change as JSON text."""
    units = [[*unit, [[*key, value] for key, value in facts.items()]] for unit, facts in change.units.items()]
    return json.dumps([change.problem, units, change.is_absent], separators=(",", ":"))


def change_from_text(text: str) -> ContractChange:
    """Parse the text that `change_to_text` returns."""
    problem, units, is_absent = json.loads(text)
    return ContractChange(
        units={
            (section, op): {(kind, argument, field): value for kind, argument, field, value in facts}
            for section, op, facts in units
        },
        problem=problem,
        is_absent=is_absent,
    )
