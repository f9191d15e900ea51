"""Reads a contract at one revision after the other, and says what is different there."""

from __future__ import annotations

import gc
import json

from opspec_lint.git.moving_tree import AccessLog
from opspec_lint.history.facts import FactsOfSpecs
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
"""Revisions that are read before garbage is looked for, which nobody else does."""


class Seen(Record):
    """A contract at a revision: its facts, or the problem why it could not be read.

    `is_absent`: the problem is that the source declares no ops there, as before its first file and behind its last.
    """

    facts: Mapping[Unit, Facts] = {}
    problem: str | None = None
    is_absent: bool = False


class Reader:
    """Reads a contract, in the order of the revisions or against it.

    Args:
        contract: the contract.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._taker = FactsOfSpecs()
        self._accessed: AccessLog | None = None
        self._read = 0

    def at(self, commit: str, tree: MovingTree, changes: Sequence[PathChange] | None, step: str) -> Seen | None:
        """Return the contract at a revision, None if it is the same as where it was asked for last.

        Args:
            commit: the id of the revision.
            tree: the tree, which stands there.
            changes: what is different from where it was asked for last; None if nobody knows.
            step: the id of the later one of these two revisions.
        """
        before = None if step in self._contract.renames else self._accessed
        if changes is not None and before is not None and not before.concerns(changes):
            return None
        tree.accessed = self._accessed = AccessLog(self._contract.suffixes)
        self._read += 1
        if not self._read % _GARBAGE:
            gc.collect()
        try:
            return Seen(facts=self._taker.of(self._contract.read(tree, commit), commit))
        except NothingThereError as error:
            return Seen(problem=error.message, is_absent=True)
        except InputError as error:
            self._accessed = None  # the message names the revision, so the next one has a message of its own
            return Seen(problem=error.message)

    def lose_track(self) -> None:
        """Read the contract anew where it is asked for next: revisions were passed over."""
        self._accessed = None


class Turn(Record):
    """How a contract becomes what it is at a revision, from what it was at the one before.

    `units` are those whose facts are others from then on; a unit without facts is gone. `problem` is why the contract
    could not be read, which changes no unit; `is_absent` as in `Seen`.
    """

    units: Mapping[Unit, Facts] = {}
    problem: str | None = None
    is_absent: bool = False


def turn_between(old: Mapping[Unit, Facts], new: Mapping[Unit, Facts]) -> Turn:
    """Return the turn from some facts to others."""
    gone: dict[Unit, Facts] = {unit: {} for unit in old if unit not in new}
    return Turn(units=gone | {unit: facts for unit, facts in new.items() if old.get(unit) != facts})


def turn_to_text(turn: Turn) -> str:
    """Return a turn as JSON text."""
    units = [[*unit, [[*key, value] for key, value in facts.items()]] for unit, facts in turn.units.items()]
    return json.dumps([turn.problem, units, turn.is_absent], separators=(",", ":"))


def turn_of_text(text: str) -> Turn:
    """Return the turn that `turn_to_text` wrote."""
    problem, units, is_absent = json.loads(text)
    return Turn(
        units={
            (section, op): {(kind, argument, field): value for kind, argument, field, value in facts}
            for section, op, facts in units
        },
        problem=problem,
        is_absent=is_absent,
    )
