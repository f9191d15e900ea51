"""A mapping of ops, which are built from their decoded records on first access.

Of the 657 ops that Paddle 2.6.2 and 3.0.0 have in common, 67 differ; building the others would cost more than all other
work of `check`. The functions of this module take any mapping, and are cheap for an `OpTable`.
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


INPUT_NAMES = "input_names"
"""Key among the functions of a table that read fields: the names of the inputs, which are no field of an op."""


class OpTable(Mapping[str, "Op"]):
    """The ops of a spec by name, built on first access.

    Args:
        records: the decoded and validated record of each op.
        build: builds an op from its name and record.
        numbers: returns the values of a record that may be numbers, for `certainly_equal`.
        dialect: two tables with equal dialects and the same known fields build equal ops from equal records.
        known: fields of ops that all records know, if their values do not depend on other fields of the record.
        located: whether the records have the places of declarations.
        declared: returns the part of a record that is independent of places; None if records have no places.
        fields: functions that return fields which a record states directly, without building the op.
    """

    __slots__ = ("_build", "_built", "_declared", "_dialect", "_fields", "_known", "_numbers", "_records", "located")

    def __init__(  # noqa: PLR0913 - all that tells how records are read
        self,
        records: Mapping[str, Any],
        build: Callable[[str, Any], Op],
        numbers: Callable[[Any], list[Any]],
        dialect: Hashable,
        *,
        known: frozenset[str] = frozenset(),
        located: bool = False,
        declared: Callable[[Any], Any] | None = None,
        fields: Mapping[str, Callable[[Any], Any]] = {},
    ) -> None:
        self._records = records
        self._build = build
        self._numbers = numbers
        self._dialect = dialect
        self._known = known
        # Built ops are kept: comparisons, findings and reports ask for the same op.
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

    def with_copies(self, sources: Mapping[str, str]) -> OpTable:
        """Return a table with more ops, each with the declaration of the op that `sources` maps it to."""
        records = {**self._records, **{name: self._records[source] for name, source in sources.items()}}
        return self._with_records(records)

    def merge(self, table: OpTable) -> OpTable | None:
        """Return a table that has the ops of `table` as well, None if that table reads its records differently."""
        return self._with_records({**table._records, **self._records}) if self._reads_as(table) else None

    def drop_ops(self, names: Collection[str]) -> OpTable:
        """Return a table without some ops."""
        records = {name: record for name, record in self._records.items() if name not in names}
        return self._with_records(records)

    def _with_records(self, records: Mapping[str, Any]) -> OpTable:
        """Return a table with other records of the same dialect."""
        return OpTable(
            records,
            self._build,
            self._numbers,
            self._dialect,
            known=self._known,
            located=self.located,
            declared=self._declared,
            fields=self._fields,
        )

    def _reads_as(self, table: OpTable) -> bool:
        """Return whether both tables build equal ops from equal records."""
        return self._dialect == table._dialect and self._known == table._known

    def share_ops(self, seen: dict[str, list[OpTable]]) -> OpTable:
        """Return a table that reuses certainly equal ops of earlier tables, and add its other ops to `seen`."""
        first: dict[str, OpTable] = {}
        for name in self._records:
            tables_with_op = seen.setdefault(name, [])
            same = next((table for table in tables_with_op if table.certainly_equal(self, name)), self)
            if same is self:
                tables_with_op.append(self)
            first[name] = same
        table = self._with_records({name: table._records[name] for name, table in first.items()})
        # Of the first table that has an op: comparisons see by its identity that the op is the same.
        table._built = {name: table[name] for name, table in first.items()}
        return table

    def field_value(self, name: str, field: str) -> Any:
        """Return a field of an op, without building the op if its record states the field."""
        read = self._fields.get(field)
        return self[name].get(field) if read is None else read(self._records[name])

    def input_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the inputs of an op, without building the op if its record lists them."""
        read = self._fields.get(INPUT_NAMES)
        return tuple(argument.name for argument in self[name].inputs) if read is None else read(self._records[name])

    @property
    def names(self) -> KeysView[str]:
        """The names of the ops."""
        return self._records.keys()

    def has_same_records(self, table: Mapping[str, Op]) -> bool:
        """Return whether both tables have the same record objects; False means unknown."""
        return isinstance(table, OpTable) and self._records is table._records and self._reads_as(table)

    def certainly_equal(self, table: Mapping[str, Op], name: str) -> bool:
        """Return whether both tables have equal records of an op, without building it; False means unknown.

        `true`, `1` and `1.0` are equal under `==`, so numbers are compared by their marshal bytes.
        """
        if not isinstance(table, OpTable) or not self._reads_as(table):
            return False
        first, second = self._records[name], table._records[name]
        if first is second:
            return True
        if first != second and (self._declared is None or self._declared(first) != self._declared(second)):
            return False
        return self._has_equal_numbers(first, second)

    def _has_equal_numbers(self, first: Any, second: Any) -> bool:
        # Version 2 of the format: from 3 on, the bytes depend on which parts of a value are the same object.
        return marshal.dumps(self._numbers(first), 2) == marshal.dumps(self._numbers(second), 2)

    def fields_known_once(self, table: Mapping[str, Op]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the fields of ops that only this table knows, and those that only another one knows."""
        if not isinstance(table, OpTable) or self._dialect != table._dialect:
            return frozenset(), frozenset()
        return self._known - table._known, table._known - self._known

    def equal_in_shared_knowledge(self, table: Mapping[str, Op], name: str) -> bool:
        """Return whether both tables have equal records of an op but for fields that only one knows; False: unknown."""
        lost, gained = self.fields_known_once(table)
        if self.located or not (lost or gained) or not isinstance(table, OpTable):
            return False
        first, second = self._records[name], table._records[name]
        # A record that names further unknown fields may not know those of its table.
        return (
            "unknown" not in first
            and {key: value for key, value in first.items() if key not in lost}
            == {key: value for key, value in second.items() if key not in gained}
            and self._has_equal_numbers(first, second)
        )


def share_equal_ops(tables: Iterable[Mapping[str, Op]]) -> Iterator[Mapping[str, Op]]:
    """Yield the mappings of ops with certainly equal ops as one object, so that many comparisons are cheap.

    Args:
        tables: the ops of several specs; only ops of one name can be equal.
    """
    seen: dict[str, list[OpTable]] = {}
    for table in tables:
        yield table.share_ops(seen) if isinstance(table, OpTable) else table


def names(ops: Mapping[str, Op]) -> KeysView[str]:
    """Return the names of ops, as a set."""
    return ops.names if isinstance(ops, OpTable) else ops.keys()


def field_value(ops: Mapping[str, Op], name: str, field: str) -> Any:
    """Return a field of an op (`Op.get`), without building the op if that is possible."""
    return ops.field_value(name, field) if isinstance(ops, OpTable) else ops[name].get(field)


def input_names(ops: Mapping[str, Op], name: str) -> tuple[str, ...]:
    """Return the names of the inputs of an op, without building the op if that is possible."""
    return ops.input_names(name) if isinstance(ops, OpTable) else tuple(argument.name for argument in ops[name].inputs)


def is_same_table(base: Mapping[str, Op], head: Mapping[str, Op]) -> bool:
    """Return whether two mappings certainly have the same ops; False means unknown."""
    return isinstance(base, OpTable) and base.has_same_records(head)


def is_located(ops: Mapping[str, Op]) -> bool:
    """Return whether a mapping of ops knows the places of their declarations."""
    return ops.located if isinstance(ops, OpTable) else any(op.origin is not None for op in ops.values())


def origin(ops: Mapping[str, Op], name: str) -> Origin | None:
    """Return the place of an op; an op without a known place is not built."""
    return None if isinstance(ops, OpTable) and not ops.located else ops[name].origin


def with_copies(ops: Mapping[str, Op], sources: Mapping[str, str]) -> Mapping[str, Op]:
    """Return a mapping with more ops, each with the declaration of the op that `sources` maps it to."""
    if isinstance(ops, OpTable):
        return ops.with_copies(sources)
    return {**ops, **{name: ops[source].replace(name=name) for name, source in sources.items()}}


def merge(ops: Mapping[str, Op], more: Mapping[str, Op]) -> Mapping[str, Op]:
    """Return the ops of two mappings; for an op in both, the declaration in `ops`."""
    table = ops.merge(more) if isinstance(ops, OpTable) and isinstance(more, OpTable) else None
    if table is not None:
        return table
    # Tables with other dialects cannot share records, so each op is taken from its own table when it is needed.
    return LazyMapping({**dict.fromkeys(more, more), **dict.fromkeys(ops, ops)}, lambda name, owner: owner[name])


def drop_ops(ops: Mapping[str, Op], names: Collection[str]) -> Mapping[str, Op]:
    """Return a mapping without some of its ops."""
    return ops.drop_ops(names) if isinstance(ops, OpTable) else {name: ops[name] for name in ops if name not in names}


def all_certainly_equal(base: Mapping[str, Op], head: Mapping[str, Op]) -> bool:
    """Return whether two mappings have equal ops; False also if that is expensive to know."""
    return names(base) == names(head) and all(certainly_equal(base, head, name) for name in base)


def certainly_equal(base: Mapping[str, Op], head: Mapping[str, Op], name: str) -> bool:
    """Return whether an op in both mappings is equal; False also if that is expensive to know."""
    return isinstance(base, OpTable) and base.certainly_equal(head, name)


def fields_known_once(base: Mapping[str, Op], head: Mapping[str, Op]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the fields that only the ops of base know, and those that only the ops of head know."""
    return base.fields_known_once(head) if isinstance(base, OpTable) else (frozenset(), frozenset())


def equal_in_shared_knowledge(base: Mapping[str, Op], head: Mapping[str, Op], name: str) -> bool:
    """Return whether an op in both mappings is equal but for fields that only one knows; False: expensive to know."""
    return isinstance(base, OpTable) and base.equal_in_shared_knowledge(head, name)
