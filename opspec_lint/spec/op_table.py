"""A mapping of ops, each of which is built from its decoded record when it is accessed.

Of the 657 ops that Paddle 2.6.2 and 3.0.0 have in common, 67 differ; building the others would cost more than
everything else that `check` does.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping

from opspec_lint.kit.lazy_mapping import LazyMapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, KeysView
    from typing import Any

    from opspec_lint.spec.model import Op, Origin


class OpTable(Mapping[str, "Op"]):
    """The ops of a spec, by name.

    Args:
        records: the decoded, already validated record of each op.
        build: makes an op of a name and its record.
        numbers: returns the values of a record that may contain numbers, for `surely_same`.
        dialect: two tables of the same dialect build equal ops from equal records.
        located: whether the records have the places of declarations.
        declared: returns what a record declares, wherever that stands; None where records have no places.
        fields: for fields that a record states as they are, functions that return them.
    """

    __slots__ = ("_build", "_built", "_declared", "_dialect", "_fields", "_numbers", "_records", "located")

    def __init__(  # noqa: PLR0913 - all that tells how records are read
        self,
        records: Mapping[str, Any],
        build: Callable[[str, Any], Op],
        numbers: Callable[[Any], list[Any]],
        dialect: Hashable,
        *,
        located: bool = False,
        declared: Callable[[Any], Any] | None = None,
        fields: Mapping[str, Callable[[Any], Any]] = {},
    ) -> None:
        self._records = records
        self._build = build
        self._numbers = numbers
        self._dialect = dialect
        self._built: dict[str, Op] = {}
        self.located = located
        self._declared = declared
        self._fields = fields

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
        """Return a table with more ops, each of which is declared like another op of this table."""
        records = {**self._records, **{name: self._records[other] for name, other in standing_for.items()}}
        return self._of(records)

    def joined(self, table: OpTable) -> OpTable | None:
        """Return a table that has also the ops of `table`, None if that table reads its records differently."""
        return self._of({**table._records, **self._records}) if self._dialect == table._dialect else None

    def without(self, names: Collection[str]) -> OpTable:
        """Return a table with fewer ops."""
        records = {name: record for name, record in self._records.items() if name not in names}
        return self._of(records)

    def _of(self, records: Mapping[str, Any]) -> OpTable:
        how = self._build, self._numbers, self._dialect
        return OpTable(records, *how, located=self.located, declared=self._declared, fields=self._fields)

    def sharing(self, seen: dict[str, list[OpTable]]) -> OpTable:
        """Return a table with the op of an earlier one where that is surely the same, and add the others to `seen`."""
        first: dict[str, OpTable] = {}
        for name in self._records:
            known = seen.setdefault(name, [])
            same = next((each for each in known if each.surely_same(self, name)), self)
            if same is self:
                known.append(self)
            first[name] = same
        table = self._of({name: each._records[name] for name, each in first.items()})
        table._built = {name: each[name] for name, each in first.items()}
        return table

    def field(self, name: str, field: str) -> Any:
        """Return a field of an op, which is not built where its record states the field."""
        of = self._fields.get(field)
        return self[name].get(field) if of is None else of(self._records[name])

    @property
    def names(self) -> KeysView[str]:
        """The names of the ops."""
        return self._records.keys()

    def is_the_same(self, other: Mapping[str, Op]) -> bool:
        """Tell whether both tables have the same record objects. False means that it is not known."""
        return isinstance(other, OpTable) and self._records is other._records and self._dialect == other._dialect

    def surely_same(self, other: Mapping[str, Op], name: str) -> bool:
        """Tell whether both tables have equal records of an op, without building it.

        False means that it is not known. `true`, `1` and `1.0` are equal under `==`, so numbers are compared by their
        marshal bytes.
        """
        if not isinstance(other, OpTable) or self._dialect != other._dialect:
            return False
        mine, theirs = self._records[name], other._records[name]
        if mine is theirs:
            return True
        if mine != theirs and (self._declared is None or self._declared(mine) != self._declared(theirs)):
            return False
        return marshal.dumps(self._numbers(mine), 2) == marshal.dumps(self._numbers(theirs), 2)


def share_equal_ops(tables: Iterable[Mapping[str, Op]]) -> Iterator[Mapping[str, Op]]:
    """Yield mappings in which ops that are surely the same are one object, so that many comparisons are cheap.

    Args:
        tables: the ops of several specs; ops are the same only under one name.
    """
    seen: dict[str, list[OpTable]] = {}
    for table in tables:
        yield table.sharing(seen) if isinstance(table, OpTable) else table


def names(ops: Mapping[str, Op]) -> KeysView[str]:
    """Return the names of ops, as a set."""
    return ops.names if isinstance(ops, OpTable) else ops.keys()


def field_value(ops: Mapping[str, Op], name: str, field: str) -> Any:
    """Return a field of an op (`Op.get`), without building the op where that is possible."""
    return ops.field(name, field) if isinstance(ops, OpTable) else ops[name].get(field)


def is_same_table(base: Mapping[str, Op], head: Mapping[str, Op]) -> bool:
    """Tell whether two mappings certainly have the same ops."""
    return isinstance(base, OpTable) and base.is_the_same(head)


def is_located(ops: Mapping[str, Op]) -> bool:
    """Tell whether a mapping of ops knows where they are declared."""
    return ops.located if isinstance(ops, OpTable) else any(op.origin is not None for op in ops.values())


def origin(ops: Mapping[str, Op], name: str) -> Origin | None:
    """Return where an op is declared; an op whose table has no places is not built."""
    return None if isinstance(ops, OpTable) and not ops.located else ops[name].origin


def with_copies(ops: Mapping[str, Op], standing_for: Mapping[str, str]) -> Mapping[str, Op]:
    """Return a mapping with more ops, each of which is declared like another op of the mapping."""
    if isinstance(ops, OpTable):
        return ops.completed(standing_for)
    return {**ops, **{name: ops[other].replace(name=name) for name, other in standing_for.items()}}


def merge(ops: Mapping[str, Op], more: Mapping[str, Op]) -> Mapping[str, Op]:
    """Return the ops of two mappings; `ops` declares an op that both have."""
    table = ops.joined(more) if isinstance(ops, OpTable) and isinstance(more, OpTable) else None
    if table is not None:
        return table
    return LazyMapping({**dict.fromkeys(more, more), **dict.fromkeys(ops, ops)}, lambda name, owner: owner[name])


def drop_ops(ops: Mapping[str, Op], names: Collection[str]) -> Mapping[str, Op]:
    """Return a mapping of ops with fewer of them."""
    return ops.without(names) if isinstance(ops, OpTable) else {name: ops[name] for name in ops if name not in names}


def all_certainly_equal(base: Mapping[str, Op], head: Mapping[str, Op]) -> bool:
    """Tell whether two mappings have the same ops, where that can be known cheaply."""
    return names(base) == names(head) and all(certainly_equal(base, head, name) for name in base)


def certainly_equal(base: Mapping[str, Op], head: Mapping[str, Op], name: str) -> bool:
    """Tell whether an op that both mappings have is the same in both, where that can be known cheaply."""
    return isinstance(base, OpTable) and base.surely_same(head, name)
