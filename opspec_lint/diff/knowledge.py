"""Comparison of the knowledge of two specs: fields that only one spec knows.

Two rules follow from these facts. `extra` decides which changes of an argument count, so head alone must not excuse its
own change: an argument of base is extra only if base states it, and the first statement in head is a fact.

A kind of source may lack a field altogether, such as dumps without conditions. Between two kinds of sources this is no
loss; the other kind is a separate fact.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.diff.changes.arguments import is_addition, is_rename, without_untrusted_exemption
from opspec_lint.diff.changes.knowledge import UPDATE_DEFAULTS, knowledge_changed
from opspec_lint.diff.changes.whole_specs import source_kind_changed
from opspec_lint.diff.fields import same_op
from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.kit.record import Record
from opspec_lint.spec import op_table
from opspec_lint.spec.model import BY_NAME, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.diff.changes.knowledge import Event
    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import AnyArgument, Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Checkpoint, Declared, Op, Spec

    _KnowledgeEvents: TypeAlias = list[tuple[Event, str]]


def knowledge_changes(  # noqa: PLR0913, PLR0917 - what was compared, and how
    base: Spec,
    head: Spec,
    compared: Iterable[tuple[Op, Op]],
    table: FieldTable,
    only: Collection[str] | None = None,
    memory: NoMemory = NO_MEMORY,
) -> Iterator[Fact]:
    """Yield the facts about fields and parts that only one of two specs knows.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        compared: both declarations of each op that may differ.
        table: the fields of the framework.
        only: the names of the ops to look at, or None for all.
        memory: results of comparisons of other specs that share ops with these.
    """
    kinds = frozenset({base.provenance.kind, head.provenance.kind})
    differences = _KnowledgeDifferences(table, kinds)
    in_order = base.binding == head.binding != BY_NAME
    for old, new in compared:
        compare = partial(differences.compare_declarations, old, new, in_order=in_order)
        for event, field, subject in memory.memoize(old, new, (kinds, in_order), compare):
            differences.add(event, field, old.name, subject)
    _note_fields_known_once(base, head, {old.name for old, _ in compared}, differences, only)
    _note_earlier_declarations(base, head, table, differences, only)
    _note_update_defaults(base, head, differences, only)
    yield from differences.changes()
    yield from _source_kind_change(base, head)
    yield from _spec_part_change("op_versions", base.op_versions is UNKNOWN, head.op_versions is UNKNOWN)
    yield from _spec_part_change("graph_versions", base.graph_versions is None, head.graph_versions is None)
    for key in sorted(base.loading.keys() | head.loading.keys()):
        yield from _spec_part_change(f"loading.{key}", key not in base.loading, key not in head.loading)
    if base.graph_versions and head.graph_versions:
        old_day, new_day = base.graph_versions.producer_since, head.graph_versions.producer_since
        yield from _spec_part_change("producer_since", old_day is None, new_day is None)


def drop_untrusted_exemptions(changes: list[Fact], base: Spec) -> list[Fact]:
    """Return facts; if base does not know `extra`, what head adds as extra is no longer exempt.

    Args:
        changes: the facts about ops.
        base: the spec that existing models were saved with.
    """
    if not any(_adds_extra_argument(change) for change in changes) or _knows_extra(base):
        return changes
    return [without_untrusted_exemption(change) for change in changes]


def _adds_extra_argument(change: Fact) -> bool:
    """Return whether a fact adds an argument that head declares as extra."""
    addition = change
    if is_rename(change):
        _, addition = change.halves
    return is_addition(addition) and addition.new.extra is True


def _knows_extra(spec: Spec) -> bool:
    """Return whether a spec states `extra` for any argument; true for a spec without arguments."""
    extras = (
        argument.extra for op in spec.ops.values() for section in SECTIONS.values() for argument in getattr(op, section)
    )
    # Without arguments there is nothing to state, so head's `extra` is trusted.
    first = next(extras, None)
    return first is not UNKNOWN or any(extra is not UNKNOWN for extra in extras)


class _Subject(Record):
    """An op, argument or update with a field that only one side knows; `name` is "" for an op."""

    kind: str
    name: str = ""
    is_extra: bool = False


class _KnowledgeDifferences:
    """The fields that only one of two specs knows, by event, field and op.

    Args:
        table: the fields of the framework.
        kinds: the kinds of sources of both specs.
    """

    def __init__(self, table: FieldTable, kinds: frozenset[str | None]) -> None:
        self._fields = {
            section: tuple(
                name
                for name, declared_field in fields.items()
                if len(kinds) == 1
                or not (declared_field.only_in_source_text or kinds.intersection(declared_field.absent_in))
            )
            for section, fields in table.sections.items()
        }
        self.fields_of_ops = frozenset(self._fields["ops"])
        self._compared: dict[tuple[int, int], _KnowledgeEvents] = {}
        self._subjects: dict[tuple[Event, str], dict[str, list[_Subject]]] = {}

    def add(self, event: Event, field: str, op: str, subject: _Subject) -> None:
        """Record that only one side knows a field of an op, argument or update."""
        self._subjects.setdefault((event, field), {}).setdefault(op, []).append(subject)

    def compare_declarations(self, old: Op, new: Op, *, in_order: bool) -> Iterator[tuple[Event, str, _Subject]]:
        """Yield the fields that only one of two declarations of an op knows, with the op or argument."""
        for event, field in _fields_known_once(old, new, self._fields["ops"]):
            yield event, field, _Subject(kind="op")
        for kind, section in SECTIONS.items():
            for before, after in _pair_arguments(getattr(old, section), getattr(new, section), in_order=in_order):
                for event, field in self._compare_arguments(before, after, self._fields[section]):
                    yield event, field, _Subject(kind=kind, name=before.name, is_extra=before.extra is True)

    def changes(self) -> Iterator[Fact]:
        """Yield one fact for each event and field."""
        for (event, field), by_op in sorted(self._subjects.items(), key=lambda item: item[0]):
            subjects = [(op, subject) for op in sorted(by_op) for subject in by_op[op]]
            kinds = {subject.kind for _, subject in subjects}
            yield knowledge_changed(
                event,
                field,
                [(op, subject.name) for op, subject in subjects],
                kinds.pop() if len(kinds) == 1 else "argument",
                is_extra=all(subject.is_extra for _, subject in subjects),
            )

    def _compare_arguments(self, old: AnyArgument, new: AnyArgument, fields: Iterable[str]) -> _KnowledgeEvents:
        """Return the fields that only one of two arguments knows."""
        # Equal arguments are one object in all ops (`spec.interning`), so most pairs occur in op after op.
        key = id(old), id(new)
        if key not in self._compared:
            self._compared[key] = [] if old is new else _fields_known_once(old, new, fields)
        return self._compared[key]


def _fields_known_once(old: Declared, new: Declared, fields: Iterable[str]) -> _KnowledgeEvents:
    """Return the event and the name of each field that only one of two declarations knows."""
    events: _KnowledgeEvents = []
    for field in fields:
        before, after = old.get(field), new.get(field)
        if (before is UNKNOWN) is not (after is UNKNOWN):
            event: Event = "knowledge_lost" if after is UNKNOWN else "knowledge_gained"
            events.append(("extra_learned" if field == "extra" and after is True else event, field))
    return events


def _pair_arguments(
    before: Sequence[AnyArgument], after: Sequence[AnyArgument], *, in_order: bool
) -> Iterator[tuple[AnyArgument, AnyArgument]]:
    """Yield the pairs of arguments: those of equal name; and, if the order binds, renamed ones, in their order."""
    base_names, head_by_name = {argument.name for argument in before}, {argument.name: argument for argument in after}
    yield from ((argument, head_by_name[argument.name]) for argument in before if argument.name in head_by_name)
    if in_order and not base_names >= head_by_name.keys():
        removed = (argument for argument in before if argument.name not in head_by_name)
        yield from zip(removed, (argument for argument in after if argument.name not in base_names), strict=False)


def _note_fields_known_once(
    base: Spec,
    head: Spec,
    compared: Collection[str],
    differences: _KnowledgeDifferences,
    only: Collection[str] | None,
) -> None:
    """Record the fields of ops that were not compared, as they differ in nothing else (`equal_in_shared_knowledge`)."""
    events: tuple[Event, Event] = ("knowledge_lost", "knowledge_gained")
    known_once = [fields & differences.fields_of_ops for fields in op_table.fields_known_once(base.ops, head.ops)]
    if not any(known_once):
        return
    in_both = op_table.names(base.ops) & op_table.names(head.ops)
    names = [name for name in in_both.difference(compared) if only is None or name in only]
    for event, fields in zip(events, known_once, strict=True):
        for field in fields:
            for name in names:
                differences.add(event, field, name, _Subject(kind="op"))


def _note_earlier_declarations(
    base: Spec, head: Spec, table: FieldTable, differences: _KnowledgeDifferences, only: Collection[str] | None
) -> None:
    """Record the ops whose earlier declarations differ from base's, or are more than one new release adds."""
    for name in sorted(base.earlier.keys() | head.earlier.keys()):
        old, new = base.earlier.get(name, ()), head.earlier.get(name, ())
        # An added or removed op is a fact of its own.
        if (name in base.ops) is not (name in head.ops) or (only is not None and name not in only):
            continue
        if len(new) < len(old) or not all(same_op(a, b, table) for a, b in zip(old, new, strict=False)):
            differences.add("knowledge_lost", "earlier", name, _Subject(kind="op"))
        elif len(new) > len(old) and not _only_base_was_added(
            base.ops.get(name), head.ops.get(name), new[len(old) :], table
        ):
            differences.add("knowledge_gained", "earlier", name, _Subject(kind="op"))


def _only_base_was_added(old: Op | None, new: Op | None, added: Sequence[Op], table: FieldTable) -> bool:
    """Return whether head's history has exactly one declaration more: the current one of base, which head replaced."""
    if old is None or new is None or len(added) != 1:
        return False
    return same_op(added[0], old, table) and not same_op(old, new, table)


def _note_update_defaults(
    base: Spec, head: Spec, differences: _KnowledgeDifferences, only: Collection[str] | None
) -> None:
    """Record the updates of op versions whose default value only one side states."""
    if base.op_versions is UNKNOWN or head.op_versions is UNKNOWN:
        return
    for name, history in base.op_versions.items():
        head_history = head.op_versions.get(name, ())
        if history is head_history or (only is not None and name not in only):
            continue
        before, after = _count_defaults(history), _count_defaults(head_history)
        for update_key, (known, unknown) in before.items():
            known_now, unknown_now = after.get(update_key, (0, 0))
            *_, argument = update_key
            subject = _Subject(kind="update", name=str(argument))
            if known_now < known and unknown_now > unknown:
                differences.add("knowledge_lost", UPDATE_DEFAULTS, name, subject)
            elif known_now > known and unknown_now < unknown:
                differences.add("knowledge_gained", UPDATE_DEFAULTS, name, subject)


def _count_defaults(history: Iterable[Checkpoint]) -> dict[tuple[str | None, ...], tuple[int, int]]:
    """Return how many updates state a default value, and how many do not, by action, kind and name.

    They are counted, as a new update may be inserted anywhere: equal positions do not mean equal updates.
    """
    counts: dict[tuple[str | None, ...], tuple[int, int]] = {}
    for checkpoint in history:
        for update in checkpoint.updates:
            update_key = (update.action, update.kind, update.name)
            known, unknown = counts.get(update_key, (0, 0))
            is_unknown = update.default_value is UNKNOWN
            counts[update_key] = (known + (not is_unknown), unknown + is_unknown)
    return counts


def _source_kind_change(base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield the fact that head was made from another kind of source than base."""
    old, new = base.provenance.kind, head.provenance.kind
    if old != new:
        yield source_kind_changed(old, new)


def _spec_part_change(field: str, *is_unknown: bool) -> Iterator[Fact]:
    """Yield the fact that only one side knows a part of the spec that is not a field of ops."""
    before, after = is_unknown
    if before is not after:
        yield knowledge_changed("knowledge_lost" if after else "knowledge_gained", field)
