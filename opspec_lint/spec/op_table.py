"""A mapping of ops that are built from their decoded records only when somebody looks at them.

Of the 657 ops that Paddle 2.6.2 and 3.0.0 have in common 67 differ; building the others would cost more than
everything else that `check` does.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, KeysView, Sequence
    from typing import Any

    from opspec_lint.spec.model import Op, Origin


class OpTable(Mapping[str, "Op"]):
    """The ops of a spec, by name.

    Args:
        records: the decoded, already validated record of each op.
        build: makes an op of a name and its record.
        numbers: returns what of a record may hold numbers, for the sake of `surely_same`.
        dialect: two tables of one dialect read equal records as equal ops.
        located: whether the records say where an op is declared.
    """

    __slots__ = ("_build", "_built", "_dialect", "_numbers", "_records", "located")

    def __init__(
        self,
        records: Mapping[str, Any],
        build: Callable[[str, Any], Op],
        numbers: Callable[[Any], list[Any]],
        dialect: Hashable,
        *,
        located: bool = False,
    ) -> None:
        self._records = records
        self._build = build
        self._numbers = numbers
        self._dialect = dialect
        self._built: dict[str, Op] = {}
        self.located = located

    def __getitem__(self, name: str) -> Op:
        op = self._built.get(name)
        if op is None:
            op = self._built[name] = self._build(name, self._records[name])
        return op

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def completed(self, standing_for: Mapping[str, str]) -> OpTable:
        """Return a table with more ops, each declared as another is that this table has."""
        records = {**self._records, **{name: self._records[other] for name, other in standing_for.items()}}
        return OpTable(records, self._build, self._numbers, self._dialect, located=self.located)

    def without(self, names: Collection[str]) -> OpTable:
        """Return a table with fewer ops."""
        records = {name: record for name, record in self._records.items() if name not in names}
        return OpTable(records, self._build, self._numbers, self._dialect, located=self.located)

    @property
    def names(self) -> KeysView[str]:
        """The names of the ops."""
        return self._records.keys()

    def is_the_same(self, other: Mapping[str, Op]) -> bool:
        """Tell whether both tables hold the very same records. False promises nothing."""
        return isinstance(other, OpTable) and self._records is other._records and self._dialect == other._dialect

    def surely_same(self, other: Mapping[str, Op], name: str) -> bool:
        """Tell whether both tables hold the very same record of an op, without building it.

        False promises nothing. `==` takes `true`, `1` and `1.0` for one another, so marshal looks at the numbers.
        """
        if not isinstance(other, OpTable) or self._dialect != other._dialect:
            return False
        mine, theirs = self._records[name], other._records[name]
        if mine is theirs:
            return True
        if mine != theirs:
            return False
        return marshal.dumps(self._numbers(mine), 2) == marshal.dumps(self._numbers(theirs), 2)


class EarlierOps(Mapping[str, "tuple[Op, ...]"]):
    """The earlier declarations of ops, by name and oldest first, built when somebody looks at them."""

    __slots__ = ("_build", "_records")

    def __init__(self, records: Mapping[str, Sequence[Any]], build: Callable[[str, Any], Op]) -> None:
        self._records = records
        self._build = build

    def __getitem__(self, name: str) -> tuple[Op, ...]:
        return tuple(self._build(name, record) for record in self._records[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def names(ops: Mapping[str, Op]) -> KeysView[str]:
    """Return the names of some ops, as a set that answers fast."""
    return ops.names if isinstance(ops, OpTable) else ops.keys()


def all_the_same(base: Mapping[str, Op], head: Mapping[str, Op]) -> bool:
    """Tell whether two mappings surely hold the same ops."""
    return isinstance(base, OpTable) and base.is_the_same(head)


def is_located(ops: Mapping[str, Op]) -> bool:
    """Tell whether a mapping of ops knows where they are declared."""
    return ops.located if isinstance(ops, OpTable) else any(op.origin is not None for op in ops.values())


def origin(ops: Mapping[str, Op], name: str) -> Origin | None:
    """Return where an op is declared, without building it if its table does not know."""
    return None if isinstance(ops, OpTable) and not ops.located else ops[name].origin


def completed(ops: Mapping[str, Op], standing_for: Mapping[str, str]) -> Mapping[str, Op]:
    """Return a mapping of ops with more of them, each declared as another is that it has."""
    if isinstance(ops, OpTable):
        return ops.completed(standing_for)
    return {**ops, **{name: ops[other].but(name=name) for name, other in standing_for.items()}}


def without(ops: Mapping[str, Op], names: Collection[str]) -> Mapping[str, Op]:
    """Return a mapping of ops with fewer of them."""
    return ops.without(names) if isinstance(ops, OpTable) else {name: ops[name] for name in ops if name not in names}


def surely_same(base: Mapping[str, Op], head: Mapping[str, Op], name: str) -> bool:
    """Tell whether an op that both mappings have is the same in both, where that can be known cheaply."""
    return isinstance(base, OpTable) and base.surely_same(head, name)
