"""Compares what two specs know: finds the fields of which one side alone speaks.

Whether an argument is extra decides which of its changes count. Head's word alone does not excuse what head changes: an
argument that base has counts as extra only if base says so, and that head is the first to say so is a fact as well.

A kind of source may have no word for a field at all. That excuses a difference only between two kinds of sources, and
that the kind is another one is a fact, too.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.diff.changes.arguments import is_addition, is_rename, without_untrusted_exemption
from opspec_lint.diff.changes.knowledge import UPDATE_DEFAULTS, knowledge_changed
from opspec_lint.diff.changes.whole_specs import source_kind_changed
from opspec_lint.diff.fields import same_op
from opspec_lint.kit.record import Record
from opspec_lint.spec.model import BY_NAME, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.diff.changes.knowledge import Event
    from opspec_lint.diff.memory import Memory
    from opspec_lint.spec.fact import AnyArgument, Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Checkpoint, Declared, Op, Spec

    _Differences: TypeAlias = list[tuple[Event, str]]


def knowledge_changes(  # noqa: PLR0913, PLR0917 - what was compared, and how
    base: Spec,
    head: Spec,
    compared: Iterable[tuple[Op, Op]],
    table: FieldTable,
    only: Collection[str] | None = None,
    memory: Memory | None = None,
) -> Iterator[Fact]:
    """Yield what of both specs one side alone speaks of.

    Args:
        base: the spec that saved models were made under.
        head: the spec that is to take its place.
        compared: the declarations of each op that both have, as far as they may differ.
        table: the fields of the framework.
        only: the names of the ops to look at, or None for all.
        memory: of comparisons of other specs that share ops with these.
    """
    kinds = frozenset({base.provenance.kind, head.provenance.kind})
    found = _Gathered(table, kinds)
    in_order = base.binding == head.binding != BY_NAME
    for old, new in compared:
        find = partial(found.of_ops, old, new, in_order=in_order)
        for event, field, thing in find() if memory is None else memory.memoize(old, new, (kinds, in_order), find):
            found.add(event, field, old.name, thing)
    _compare_earlier(base, head, table, found, only)
    _compare_updates(base, head, found, only)
    yield from found.changes()
    yield from _of_sources(base, head)
    yield from _of_spec("op_versions", base.op_versions is UNKNOWN, head.op_versions is UNKNOWN)
    yield from _of_spec("graph_versions", base.graph_versions is None, head.graph_versions is None)
    for key in sorted(base.loading.keys() | head.loading.keys()):
        yield from _of_spec(f"loading.{key}", key not in base.loading, key not in head.loading)
    if base.graph_versions and head.graph_versions:
        days = base.graph_versions.producer_since, head.graph_versions.producer_since
        yield from _of_spec("producer_since", days[0] is None, days[1] is None)


def drop_untrusted_exemptions(changes: list[Fact], base: Spec) -> list[Fact]:
    """Return changes; what head adds as extra is excused by head's word alone only where base speaks of extra at all.

    Args:
        changes: the facts about ops.
        base: the spec that saved models were made under.
    """
    if not any(_adds_extra(change) for change in changes) or _speaks_of_extra(base):
        return changes
    return [without_untrusted_exemption(change) for change in changes]


def _adds_extra(change: Fact) -> bool:
    come = change.halves[1] if is_rename(change) else change
    return is_addition(come) and come.new.extra is True


def _speaks_of_extra(spec: Spec) -> bool:
    """Tell whether a spec says of any argument whether it is extra; one without arguments says all that there is."""
    said = (each.extra for op in spec.ops.values() for section in SECTIONS.values() for each in getattr(op, section))
    first = next(said, None)
    return first is not UNKNOWN or any(extra is not UNKNOWN for extra in said)


class _Thing(Record):
    """A thing of an op of which one side alone knows a field. `name` is the argument's, "" where it is no argument."""

    kind: str
    name: str = ""
    is_extra: bool = False


class _Gathered:
    """What one side alone speaks of, gathered by event, field and op."""

    def __init__(self, table: FieldTable, kinds: frozenset[str | None]) -> None:
        self._fields = {
            section: tuple(
                name
                for name, each in fields.items()
                if len(kinds) == 1 or not (each.only_in_source_text or kinds.intersection(each.absent_in))
            )
            for section, fields in table.sections.items()
        }
        self._seen: dict[tuple[int, int], _Differences] = {}
        self._found: dict[tuple[Event, str], dict[str, list[_Thing]]] = {}

    def add(self, event: Event, field: str, op: str, thing: _Thing) -> None:
        """Note that one side alone knows a field of a thing."""
        self._found.setdefault((event, field), {}).setdefault(op, []).append(thing)

    def of_ops(self, old: Op, new: Op, *, in_order: bool) -> Iterator[tuple[Event, str, _Thing]]:
        """Yield what one of two declarations of an op alone speaks of."""
        for event, field in _differences(old, new, self._fields["ops"]):
            yield event, field, _Thing(kind="op")
        for kind, section in SECTIONS.items():
            for before, after in _partners(getattr(old, section), getattr(new, section), in_order=in_order):
                for event, field in self._of_arguments(before, after, self._fields[section]):
                    yield event, field, _Thing(kind=kind, name=before.name, is_extra=before.extra is True)

    def changes(self) -> Iterator[Fact]:
        """Yield one fact for each event and field."""
        for (event, field), by_op in sorted(self._found.items(), key=lambda each: each[0]):
            things = [(op, thing) for op in sorted(by_op) for thing in by_op[op]]
            kinds = {thing.kind for _, thing in things}
            yield knowledge_changed(
                event,
                field,
                [(op, thing.name) for op, thing in things],
                kinds.pop() if len(kinds) == 1 else "argument",
                is_extra=all(thing.is_extra for _, thing in things),
            )

    def _of_arguments(self, old: AnyArgument, new: AnyArgument, fields: Iterable[str]) -> _Differences:
        """Return the fields that one of two arguments alone speaks of; most pairs come again in op after op."""
        key = id(old), id(new)
        if key not in self._seen:
            self._seen[key] = [] if old is new else _differences(old, new, fields)
        return self._seen[key]


def _differences(old: Declared, new: Declared, fields: Iterable[str]) -> _Differences:
    """Return the fields that one of two declarations alone speaks of, each with what that is called."""
    found: _Differences = []
    for field in fields:
        before, after = old.get(field), new.get(field)
        if (before is UNKNOWN) is not (after is UNKNOWN):
            event: Event = "knowledge_lost" if after is UNKNOWN else "knowledge_gained"
            found.append(("extra_learned" if field == "extra" and after is True else event, field))
    return found


def _partners(
    before: Sequence[AnyArgument], after: Sequence[AnyArgument], *, in_order: bool
) -> Iterator[tuple[AnyArgument, AnyArgument]]:
    """Yield the arguments of one name, and those whose names are new at the same place where the order binds."""
    known, named = {each.name for each in before}, {each.name: each for each in after}
    yield from ((each, named[each.name]) for each in before if each.name in named)
    if in_order and not known >= named.keys():
        lost = (each for each in before if each.name not in named)
        yield from zip(lost, (each for each in after if each.name not in known), strict=False)


def _compare_earlier(base: Spec, head: Spec, table: FieldTable, found: _Gathered, only: Collection[str] | None) -> None:
    """Note whose earlier declarations are not those that base has, or are more than base's own would make them."""
    for name in sorted(base.earlier.keys() | head.earlier.keys()):
        old, new = base.earlier.get(name, ()), head.earlier.get(name, ())
        if (name in base.ops) is not (name in head.ops) or (only is not None and name not in only):
            continue
        if len(new) < len(old) or not all(same_op(a, b, table) for a, b in zip(old, new, strict=False)):
            found.add("knowledge_lost", "earlier", name, _Thing(kind="op"))
        elif len(new) > len(old) and not _is_succeeded(base.ops.get(name), head.ops.get(name), new[len(old) :], table):
            found.add("knowledge_gained", "earlier", name, _Thing(kind="op"))


def _is_succeeded(old: Op | None, new: Op | None, added: Sequence[Op], table: FieldTable) -> bool:
    """Tell whether what was added to the earlier declarations of an op is the one of base that head's replaces."""
    if old is None or new is None or len(added) != 1:
        return False
    return same_op(added[0], old, table) and not same_op(old, new, table)


def _compare_updates(base: Spec, head: Spec, found: _Gathered, only: Collection[str] | None) -> None:
    """Note the updates of op versions whose default value one side alone registers."""
    if base.op_versions is UNKNOWN or head.op_versions is UNKNOWN:
        return
    for name, history in base.op_versions.items():
        other = head.op_versions.get(name, ())
        if history is other or (only is not None and name not in only):
            continue
        before, after = _defaults(history), _defaults(other)
        for named, (known, unknown) in before.items():
            known_now, unknown_now = after.get(named, (0, 0))
            if known_now < known and unknown_now > unknown:
                found.add("knowledge_lost", UPDATE_DEFAULTS, name, _Thing(kind="update", name=str(named[-1])))
            elif known_now > known and unknown_now < unknown:
                found.add("knowledge_gained", UPDATE_DEFAULTS, name, _Thing(kind="update", name=str(named[-1])))


def _defaults(history: Iterable[Checkpoint]) -> dict[tuple[str | None, ...], tuple[int, int]]:
    """Return how many updates register a default value, and how many do not say, by what they do to what.

    A new update may stand anywhere among the others, so that the place of one says nothing.
    """
    found: dict[tuple[str | None, ...], tuple[int, int]] = {}
    for checkpoint in history:
        for update in checkpoint.updates:
            named = (update.action, update.kind, update.name)
            known, unknown = found.get(named, (0, 0))
            is_unknown = update.default_value is UNKNOWN
            found[named] = (known + (not is_unknown), unknown + is_unknown)
    return found


def _of_sources(base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield that head was made from another kind of source than base."""
    old, new = base.provenance.kind, head.provenance.kind
    if old != new:
        yield source_kind_changed(old, new)


def _of_spec(field: str, *is_unknown: bool) -> Iterator[Fact]:
    """Yield that one side alone speaks of what is no field of ops."""
    before, after = is_unknown
    if before is not after:
        yield knowledge_changed("knowledge_lost" if after else "knowledge_gained", field)
