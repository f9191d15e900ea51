"""A reader of one op at the revisions of a source tree, in any order."""

from __future__ import annotations

import re
from collections import Counter

from opspec_lint.git import first_parents
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.history.facts import EARLIER, OP, REMARK, UNRESOLVED, VERSION
from opspec_lint.history.reader import Reader
from opspec_lint.history.timeline import LEFT_OUT
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from opspec_lint.git.first_parents import PathChange
    from opspec_lint.history.contracts import Topic
    from opspec_lint.history.facts import Facts, Unit
    from opspec_lint.spec.model import Origin, Spec

_MANY = 5
"""Ops in a file from which on only its paragraphs about an op count."""
_IDENTIFIER = re.compile(rb"[\w.]+")


class OpReading(Record):
    """An op as read at one revision: its units, or the problem why the contract could not be read.

    `files` are the files with its declarations, from the top of the repository.
    """

    units: Mapping[Unit, Facts] = {}
    problem: str | None = None
    is_absent: bool = False
    files: frozenset[str] = frozenset()

    @property
    def state(self) -> tuple[bool, list[tuple[Unit, Facts]]]:
        """The readable part of the reading, which differs if a revision between two readings changed the op."""
        shown = (
            (unit, {key: value for key, value in facts.items() if key[2] not in LEFT_OUT})
            for unit, facts in self.units.items()
        )
        return self.problem is not None, list(shown)


class OpReader:
    """Reads one op at revisions in any order; a file that two successive ones have in common is read once.

    If the source can, it reads the declarations of this op alone.
    """

    def __init__(self, topic: Topic, op: str, chain: list[str]) -> None:
        self.spec: Spec | None = None
        self._topic = topic
        self._op = op
        self._chain = chain
        whole = topic.contracts[0]
        self._contract = whole if whole.narrowed is None else whole.narrowed(op)
        self._reader = Reader(self._contract.replace(read=self._read_spec), only=op)
        self._tree: MovingTree | None = None
        self._commit = ""
        self._last = OpReading()

    def read(self, index: int) -> OpReading:
        """Return the op at the revision with a place in the chain."""
        commit = self._chain[index]
        changes: list[PathChange] | None = None
        if self._tree is None:
            self._tree = MovingTree(self._topic.name, self._topic.opened, commit, self._topic.prefix)
        else:
            changes = first_parents.changes_between(self._topic.opened.repository, self._commit, commit)
            self._tree.move(commit, changes)
        self._commit = commit
        seen = self._reader.read_at(commit, self._tree, changes, commit)
        if seen is not None and seen.problem is not None:
            self._last = OpReading(problem=seen.problem, is_absent=seen.is_absent)
        elif seen is not None:
            units = {unit: facts for unit, facts in self._units(seen.facts) if facts}
            self._last = OpReading(units=units, files=self.paths())
        return self._last

    def _units(self, facts: Mapping[Unit, Facts]) -> Iterator[tuple[Unit, Facts]]:
        """Yield the units of the op; of its remarks, those that hide its declaration."""
        for unit in ((section, self._op) for section in (OP, VERSION, EARLIER)):
            yield unit, facts.get(unit, {})
        remarks = facts.get((REMARK, self._op), {})
        yield (REMARK, self._op), {key: value for key, value in remarks.items() if key[2] == UNRESOLVED}

    def _read_spec(self, tree: MovingTree, commit: str) -> Spec:
        self.spec = self._contract.read(tree, commit)
        return self.spec

    def all_ops(self, index: int) -> Collection[str]:
        """Return the names of all ops at the revision with a place in the chain."""
        commit = self._chain[index]
        tree = MovingTree(self._topic.name, self._topic.opened, commit, self._topic.prefix)
        return self._topic.contracts[0].read(tree, commit).ops

    def origins(self) -> list[Origin]:
        """Return the places of the declarations of the op in the spec that was read last."""
        spec = self.spec
        if spec is None:
            return []
        op = spec.ops.get(self._op)
        declared = () if op is None else (op, *op.inputs, *op.outputs, *op.attrs)
        remarks = (remark.origin for remark in spec.remarks if remark.op == self._op and remark.event == UNRESOLVED)
        return [origin for origin in (*(part.origin for part in declared), *remarks) if origin is not None]

    def paths(self) -> frozenset[str]:
        """Return the files that declare the op in the spec that was read last, from the top of the repository."""
        return frozenset(f"{self._topic.prefix}{origin.file}" for origin in self.origins())

    def names(self, lines_of: Callable[[str], list[bytes]]) -> set[bytes]:
        """Return the names of the op in the files: its own, and the identifier at the place of its declaration.

        `lines_of` is a function that returns the lines of a file of the tree. An identifier at which other ops are
        declared, too, belongs to a macro, and is no name.
        """
        identifiers = Counter[bytes]()
        own: set[bytes] = set()
        ops = {} if self.spec is None else self.spec.ops
        place = next(iter(self.origins()), None)
        if place is not None:
            lines = lines_of(place.file)
            in_file = (op.origin for op in ops.values() if op.origin is not None and op.origin.file == place.file)
            identifiers.update(identifier for origin in in_file for identifier in _identifiers_at(origin, lines))
            own.update(identifier for identifier in _identifiers_at(place, lines) if identifiers[identifier] <= 1)
        return {plain_name(self._op).encode(), *own}

    def accessed_paths(self) -> set[str]:
        """Return the files that the last reading accessed, from the top of the repository."""
        return set() if self._tree is None else self._tree.accessed.paths

    def shared_paths(self) -> set[str]:
        """Return the files that declare many ops in the spec that was read last."""
        ops = {} if self.spec is None else self.spec.ops
        declarations = Counter(op.origin.file for op in ops.values() if op.origin is not None)
        return {f"{self._topic.prefix}{file}" for file, count in declarations.items() if count >= _MANY}


def plain_name(op: str) -> str:
    """Return the name of an op without its domain and version: "Softmax" for "ai.onnx.ml::Softmax@13"."""
    return op.rpartition("::")[2].partition("@")[0]


def _identifiers_at(origin: Origin, lines: list[bytes]) -> list[bytes]:
    """Return a list with the identifier at a place, or an empty one."""
    if origin.line is None or origin.column is None or origin.line > len(lines):
        return []
    return _IDENTIFIER.findall(lines[origin.line - 1][origin.column - 1 :])[:1]
